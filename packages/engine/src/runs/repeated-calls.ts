import type { RunError } from '@plinth/protocol';
import type { ToolCall } from './run.js';

/**
 * A model in a loop calls one tool with the same arguments over and over. It is carried out `most` times; the last of
 * these results says so, the next call is refused, and the one after it ends the run: by name instead of by its bill.
 */

type Key = Pick<ToolCall, 'tool' | 'argumentsRaw'>;

const isSame = (a: Key, b: Key) => a.tool === b.tool && a.argumentsRaw === b.argumentsRaw;

const isBefore = (a: ToolCall, b: ToolCall) =>
  a.turnIndex < b.turnIndex || (a.turnIndex === b.turnIndex && a.position < b.position);

/** How many calls of the run before this one are the same. */
function sameBefore(call: ToolCall, calls: readonly ToolCall[]): number {
  return calls.filter((other) => isBefore(other, call) && isSame(other, call)).length;
}

/** Stands before the last result of a call that is not carried out any more; null for any other. */
export function repetitionNotice(call: ToolCall, calls: readonly ToolCall[], most: number): string | null {
  const times = sameBefore(call, calls) + 1;
  if (times === 1 || times !== most) return null;
  return `You have called this tool with the same arguments ${times} times in this run; here is the result. It is not carried out again: use what you have, or call it with other arguments.`;
}

/** Why this call is not carried out once more; null when it is. */
export function repetitionRefusal(call: ToolCall, calls: readonly ToolCall[], most: number): RunError | null {
  const times = sameBefore(call, calls);
  if (times < most) return null;
  return {
    code: 'repeated_call',
    message: `This tool was called with the same arguments ${times} times before, and was not carried out again. Use the results that you have; one more such call ends the run.`,
  };
}

/** Whether the model went on after it was refused. Asked before calls are carried out: the last one has no effect. */
export function repeatsTooOften(calls: readonly ToolCall[], most: number): boolean {
  return calls.some((call) => sameBefore(call, calls) > most);
}
