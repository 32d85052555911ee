import { DEFAULT_TENANT_CONFIG } from '@plinth/protocol';
import { aCall, aRun, aTurn } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { exhaustedBudget, repeatsTooOften } from './budgets.js';
import type { RunState } from './run.js';

const BUDGETS = { ...DEFAULT_TENANT_CONFIG.budgets, maxTurns: 3, maxRepeatedCalls: 2 };
const run = aRun({ createdAt: 1_000, deadlineAt: 61_000 });
const stateOf = (fields: Partial<RunState>): RunState => ({
  run,
  history: [],
  turns: [],
  calls: [],
  interrupts: [],
  artifacts: [],
  ...fields,
});
const calls = (...names: [string, string][]) =>
  names.map(([tool, argumentsRaw]) => aCall({ tool, argumentsRaw }));

describe('budgets', () => {
  it('as many turns as allowed, and not one more', () => {
    const turns = [0, 1, 2].map((index) => aTurn({ index }));
    expect(exhaustedBudget(stateOf({ turns: turns.slice(1) }), BUDGETS, 1_000)).toBeNull();
    expect(exhaustedBudget(stateOf({ turns }), BUDGETS, 1_000)).toBe('budget_iterations');
  });

  it('the time until the deadline that the run was given at its start', () => {
    expect(exhaustedBudget(stateOf({}), BUDGETS, 60_999)).toBeNull();
    expect(exhaustedBudget(stateOf({}), BUDGETS, 61_000)).toBe('budget_time');
  });

  it('the same tool with the same arguments, over all turns', () => {
    const twice = calls(['a', '{}'], ['a', '{"n":1}'], ['b', '{}'], ['a', '{}']);
    expect(repeatsTooOften(stateOf({ calls: twice }), BUDGETS)).toBe(false);
    expect(repeatsTooOften(stateOf({ calls: [...twice, ...calls(['a', '{}'])] }), BUDGETS)).toBe(true);
  });
});
