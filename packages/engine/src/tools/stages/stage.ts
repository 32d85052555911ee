import type { InterruptId, ToolDefinition } from '@plinth/protocol';
import type { CallPatch } from '../../runs/ledger-change.js';
import type { ToolCall } from '../../runs/run.js';
import type { Permission } from '../permissions.js';
import type { ToolFailureKind } from '../tool-failures.js';

/** What a stage may know besides the receipt. Read just before, from what is in force now. */
export interface StageContext {
  tool: ToolDefinition;
  permission: Permission;
  /** Where a person wished not to be asked again for this tool; null: nowhere that counts. */
  rememberedAt: InterruptId | null;
}

/**
 * What a stage says of a call: go on, end it with this answer for the model, or wait for a person. `note` is written on
 * the receipt together with what comes of it.
 */
export type StageOutcome = { note?: CallPatch } & (
  | { do: 'continue' }
  | { do: 'answer'; code: ToolFailureKind; message: string }
  | { do: 'wait'; for: 'confirmation' }
);

/**
 * One stage of the pipeline, from the rows alone: pure, and asked again whenever the run is looked at, so a call may
 * stand at it for days and be gone on with by another process.
 */
export type Stage = (call: ToolCall, context: StageContext) => StageOutcome;

export const CONTINUE: StageOutcome = { do: 'continue' };
