import type { EndReason, TenantConfig, ToolDefinition } from '@plinth/protocol';
import type { Ending } from './close-run.js';
import type { Run, RunState } from './run.js';

type Budgets = TenantConfig['budgets'];

/** Whether the run's time is over, waits included. */
export function isOverdue({ deadlineAt }: Run, now: number): boolean {
  return now >= deadlineAt;
}

/** Why this turn (from 0) is the last one that the run has, so that only closing tools are offered; null when it is not. */
export function lastTurnReason(
  { calls }: Pick<RunState, 'calls'>,
  turn: number,
  { maxTurns, maxToolCalls }: Budgets,
): EndReason | null {
  if (turn + 1 >= maxTurns) return 'budget_iterations';
  const before = calls.filter(({ turnIndex }) => turnIndex < turn).length;
  return before >= maxToolCalls ? 'budget_tool_calls' : null;
}

/** The last turn is over, and the model is not asked again. What its closing tools did decides how the run ends. */
function endOfLastTurn(state: RunState, tools: readonly ToolDefinition[], budgets: Budgets): End | null {
  const turn = state.turns.length - 1;
  const reason = turn < 0 ? null : lastTurnReason(state, turn, budgets);
  if (reason === null) return null;
  const isClosing = (key: string) => tools.some((tool) => tool.key === key && tool.closing);
  const closing = state.calls.filter(({ turnIndex, tool }) => turnIndex === turn && isClosing(tool));
  return closing.length > 0 && closing.every(({ status }) => status === 'succeeded')
    ? { status: 'completed', reason: 'final_answer' }
    : { status: 'failed', reason };
}

export type End = Pick<Ending, 'status' | 'reason'>;

/** How the run ends instead of asking the model again, when all calls have their results; null when it goes on. */
export function endBeforeTurn(
  state: RunState,
  tools: readonly ToolDefinition[],
  budgets: Budgets,
  now: number,
): End | null {
  const closed = endOfLastTurn(state, tools, budgets);
  if (closed !== null) return closed;
  if (isOverdue(state.run, now)) return { status: 'failed', reason: 'budget_time' };
  const { cost = 0 } = state.run.usage;
  if (budgets.maxCost !== null && cost >= budgets.maxCost) return { status: 'failed', reason: 'budget_cost' };
  return null;
}
