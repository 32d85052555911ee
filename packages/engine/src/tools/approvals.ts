import type { CallId, InterruptId, JsonObject, ToolDefinition } from '@plinth/protocol';
import type { Interrupt, RunState, ToolCall } from '../runs/run.js';
import type { RememberedApproval } from './approval.js';
import { effectiveArguments } from './call-arguments.js';
import { digestOf } from './definition-digest.js';

export const argumentsDigestOf = (values: JsonObject): string => digestOf(values);

/** Digest of the arguments that the call would run with now. */
export const callDigestOf = (call: ToolCall): string => argumentsDigestOf(effectiveArguments(call) ?? {});

/** What the person was shown, or has put in its place. Interrupts of an older release keep no digest. */
export function approvedDigestOf({ payload, answer }: Interrupt): string {
  if (payload.kind !== 'confirmation') throw new Error(`a ${payload.kind} approves nothing`);
  if (answer?.type === 'approve' && answer.arguments !== undefined)
    return argumentsDigestOf(answer.arguments);
  return payload.argumentsDigest ?? argumentsDigestOf(payload.arguments);
}

/**
 * Where a person wished not to be asked again for this tool: earlier in this run, or, if the tool lets that hold for
 * the thread, in another run of it. Null: nowhere.
 */
export function rememberedFor(
  tool: ToolDefinition,
  state: Pick<RunState, 'calls' | 'interrupts'>,
  thread: readonly RememberedApproval[],
): InterruptId | null {
  const { remember = 'never' } = tool;
  if (remember === 'never') return null;
  const mine = new Set<CallId>(state.calls.filter((call) => call.tool === tool.key).map(({ id }) => id));
  const here = state.interrupts.find(
    ({ callId, consumedAt, answer }) =>
      mine.has(callId) && consumedAt !== null && answer?.type === 'approve' && answer.remember === true,
  );
  if (here) return here.id;
  if (remember === 'once') return null;
  const digest = digestOf(tool);
  const there = thread.find((one) => one.tool === tool.key && one.definitionDigest === digest);
  return there?.interruptId ?? null;
}
