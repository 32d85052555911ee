import type { EndReason, TenantConfig } from '@plinth/protocol';
import type { Run, RunState } from './run.js';

/** Whether the run's time is over, waits included. */
export function isOverdue({ deadlineAt }: Run, now: number): boolean {
  return now >= deadlineAt;
}

/** Which budget is used up before another request to the model; null when none is. */
export function exhaustedBudget(
  state: RunState,
  budgets: TenantConfig['budgets'],
  now: number,
): EndReason | null {
  if (state.turns.length >= budgets.maxTurns) return 'budget_iterations';
  if (isOverdue(state.run, now)) return 'budget_time';
  return null;
}

/**
 * Whether the model called a tool with the same arguments too often. Asked before calls are carried out: a model
 * in a loop is ended by name instead of by its bill, and the call that is one too many has no effect.
 */
export function repeatsTooOften(state: RunState, budgets: TenantConfig['budgets']): boolean {
  const seen = new Map<string, number>();
  for (const call of state.calls) {
    const key = `${call.tool} ${call.argumentsRaw}`;
    const times = (seen.get(key) ?? 0) + 1;
    if (times > budgets.maxRepeatedCalls) return true;
    seen.set(key, times);
  }
  return false;
}
