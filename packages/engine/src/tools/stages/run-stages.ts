import type { CallPatch } from '../../runs/ledger-change.js';
import type { ToolCall } from '../../runs/run.js';
import { confirmation } from './confirmation.js';
import { permission } from './permission.js';
import type { Stage, StageContext, StageOutcome } from './stage.js';
import { validation } from './validation.js';

/** What a call passes before anything is shown, sent or executed. A new stage is a file here and a line. */
const STAGES: readonly Stage[] = [validation, permission, confirmation];

/**
 * Takes a call through the stages up to the first that does not let it pass. A call that was edited starts again at the
 * first one by itself: no stage but the approval is remembered.
 */
export function runStages(call: ToolCall, context: StageContext): StageOutcome & { note: CallPatch } {
  let note: CallPatch = {};
  for (const stage of STAGES) {
    const outcome = stage(call, context);
    note = { ...note, ...outcome.note };
    if (outcome.do !== 'continue') return { ...outcome, note };
  }
  return { do: 'continue', note };
}
