export type JsonRecord = Record<string, unknown>;

/** One node of a workflow in the API format. An input is a value, or `[node id, output index]`. */
export interface PromptNode {
  class_type: string;
  inputs: JsonRecord;
  _meta?: { title?: string };
}

/** A workflow in the API format: nodes by their id. */
export type Prompt = Record<string, PromptNode>;

export type Link = [node: string, output: number];

export function isLink(value: unknown): value is Link {
  return Array.isArray(value);
}

/** As the real queue keeps it: number, id, workflow, extra data, nodes to execute. */
export type QueueItem = [
  number: number,
  promptId: string,
  prompt: Prompt,
  extraData: JsonRecord,
  outputsToExecute: string[],
];
