import type { JsonRecord } from '../prompts/prompt.js';
import type { FileStore } from '../server/file-store.js';

/** Type or choices, and limits: `['INT', { min: 0 }]`, `[['euler', 'heun']]`. */
export type InputSpec = readonly [type: string | readonly string[], config?: JsonRecord];

/** What a node may do while it runs. */
export interface NodeContext {
  files: FileStore;
  /** One step of slow work: takes its time, tells its progress, and throws when the prompt was interrupted. */
  step(value: number, max: number, preview?: () => Promise<Buffer>): Promise<void>;
}

export interface NodeResult {
  values: unknown[];
  /** What an output node shows; it is what the history keeps. */
  ui?: Record<string, unknown[]>;
}

export interface NodeClass {
  displayName: string;
  category: string;
  required: Record<string, InputSpec>;
  optional?: Record<string, InputSpec>;
  output: readonly string[];
  isOutput?: boolean;
  /** What is wrong with an input beyond its type, as the node itself says it. */
  validate?(inputs: JsonRecord, files: FileStore): { input: string; problem: string } | null;
  run(inputs: JsonRecord, context: NodeContext): Promise<NodeResult>;
}
