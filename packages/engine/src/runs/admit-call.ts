import type { RunError, TenantConfig, ToolDefinition } from '@plinth/protocol';
import { repetitionRefusal } from './repeated-calls.js';
import type { ToolCall } from './run.js';

export interface Admission {
  /** All calls of the run, with those of the answer that the call is in. */
  calls: readonly ToolCall[];
  tools: readonly ToolDefinition[];
  budgets: TenantConfig['budgets'];
  /** The answer is that of the last turn. */
  isLastTurn: boolean;
}

function notOffered(tools: readonly ToolDefinition[]): RunError {
  const closing = tools.filter((tool) => tool.closing).map(({ key }) => key);
  const offered = closing.length === 0 ? 'No tool was' : `Only ${closing.join(', ')} was`;
  return { code: 'not_offered', message: `${offered} offered in the last turn of the run.` };
}

/**
 * Why a call that the model has just asked for is not carried out, whatever was offered to it; null when it is. Decided
 * once, when the answer is recorded.
 */
export function refusalOf(call: ToolCall, { calls, tools, budgets, isLastTurn }: Admission): RunError | null {
  const isClosing = tools.some(({ key, closing }) => key === call.tool && closing);
  if (isLastTurn && !isClosing) return notOffered(tools);
  const { maxToolCalls, maxRepeatedCalls } = budgets;
  if (!isLastTurn && calls.indexOf(call) >= maxToolCalls)
    return {
      code: 'tool_call_budget',
      message: `A run may make ${maxToolCalls} tool calls, and this one has made them. It was not carried out.`,
    };
  return repetitionRefusal(call, calls, maxRepeatedCalls);
}
