import type { RunError } from '@plinth/protocol';

/**
 * What kind of failure ended a call. The kind decides what the model is advised to do, and whether the platform tries
 * again by itself. Adding one is a line here, and its advice below.
 */
export const TOOL_FAILURE_KINDS = [
  /** The arguments do not fit the tool's schema: nothing was done. */
  'invalid_arguments',
  /** There is no tool of that name. */
  'unknown_tool',
  /** The tool exists and was not offered in this turn. */
  'not_offered',
  /** A rule of the tenant or of the agent forbids the call. */
  'not_permitted',
  /** The tool's rate limit is used up. */
  'rate_limited',
  /** It did not end in time: it may have taken effect or not. */
  'timed_out',
  /** What carries the tool out could not be reached, or is known to be down. */
  'unavailable',
  /** The definition that the call was made under cannot be carried out any more. */
  'tool_unavailable',
  /** What came back does not fit the tool's output schema. */
  'invalid_output',
  /** The tool answered with an error in its own words. */
  'remote_error',
  /** The tool failed for a reason of its own that nobody has worded. */
  'tool_crashed',
  /** It was started, and nobody knows whether it took effect. */
  'unknown_outcome',
] as const;
export type ToolFailureKind = (typeof TOOL_FAILURE_KINDS)[number];

/** What the model reads about what to do next. Short: it stays in the conversation. */
export const FAILURE_ADVICE: Record<ToolFailureKind, string> = {
  invalid_arguments: 'Nothing was done. Correct the arguments as the error says and call again.',
  unknown_tool: 'Nothing was done. Use a tool that is offered, or answer without one.',
  not_offered: 'Nothing was done. Answer without tools.',
  not_permitted:
    'Nothing was done. Do not call it again, with these or other arguments; go on without it, or tell the user that it is not permitted here.',
  rate_limited:
    'Nothing was done. Do not call it again before the time that the error names; go on without it, or tell the user when to ask again.',
  timed_out:
    'It may have taken effect or not. Do not repeat it by yourself; tell the user, and look up its effect first if there is a tool for that.',
  unavailable: 'Do not retry now. Go on without it, or tell the user to try again later.',
  tool_unavailable: 'Do not call it again. Tell the user.',
  invalid_output: 'It was carried out, and what it returned cannot be trusted. Do not use it; tell the user.',
  remote_error: 'Tell the user what went wrong; call again only if the error says how.',
  tool_crashed: 'Do not repeat it with the same arguments. Tell the user that it failed.',
  unknown_outcome: 'It is not known whether this took effect. Do not repeat it; ask the user to check.',
};

/** Codes that older receipts and executors use for a kind of another name. */
const OTHER_NAMES = new Map<string, ToolFailureKind>([
  ['outcome_unknown', 'unknown_outcome'],
  ['host_lost', 'unknown_outcome'],
  ['job_lost', 'unknown_outcome'],
  ['bad_job_response', 'unknown_outcome'],
  ['workflow_refused', 'tool_unavailable'],
]);

const isKind = (code: string): code is ToolFailureKind =>
  (TOOL_FAILURE_KINDS as readonly string[]).includes(code);

/** An executor that knows the kind uses it as the code; any other code is the tool's own word. */
export function failureKindOf({ code }: Pick<RunError, 'code'>): ToolFailureKind {
  return isKind(code) ? code : (OTHER_NAMES.get(code) ?? 'remote_error');
}
