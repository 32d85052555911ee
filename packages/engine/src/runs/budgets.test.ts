import { DEFAULT_TENANT_CONFIG, NO_USAGE } from '@plinth/protocol';
import { aCall, aRun, aServerTool, aTurn } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { NO_CUT } from '../context/context-cut.js';
import { endBeforeTurn, lastTurnReason } from './budgets.js';
import type { RunState, ToolCall } from './run.js';

const BUDGETS = { ...DEFAULT_TENANT_CONFIG.budgets, maxTurns: 3, maxToolCalls: 4 };
const TOOLS = [aServerTool('work'), aServerTool('save', { closing: true })];
const run = aRun({ createdAt: 1_000, deadlineAt: 61_000 });
const stateOf = (fields: Partial<RunState>): RunState => ({
  run,
  history: [],
  inheritedCut: NO_CUT,
  turns: [],
  calls: [],
  interrupts: [],
  artifacts: [],
  ...fields,
});
const turns = (count: number) => Array.from({ length: count }, (_, index) => aTurn({ index }));
const callsIn = (turnIndex: number, ...fields: Partial<ToolCall>[]) =>
  fields.map((each, position) => aCall({ tool: 'work', status: 'succeeded', turnIndex, position, ...each }));
const endOf = (fields: Partial<RunState>, budgets = BUDGETS, now = 1_000) =>
  endBeforeTurn(stateOf(fields), TOOLS, budgets, now);

describe('budgets', () => {
  it('as many turns as allowed, and not one more', () => {
    expect([0, 1, 2].map((turn) => lastTurnReason(stateOf({}), turn, BUDGETS))).toEqual([
      null,
      null,
      'budget_iterations',
    ]);
    expect(endOf({ turns: turns(2) })).toBeNull();
    expect(endOf({ turns: turns(3) })).toEqual({ status: 'failed', reason: 'budget_iterations' });
  });

  it('the turn after the last allowed tool call is the last one', () => {
    const calls = [...callsIn(0, {}, {}), ...callsIn(1, {}, {})];
    expect(lastTurnReason({ calls: calls.slice(0, 3) }, 2, { ...BUDGETS, maxTurns: 9 })).toBeNull();
    expect(lastTurnReason({ calls }, 2, { ...BUDGETS, maxTurns: 9 })).toBe('budget_tool_calls');
    // Its own calls are not before it.
    expect(lastTurnReason({ calls }, 1, { ...BUDGETS, maxTurns: 9 })).toBeNull();
  });

  it('the time until the deadline that the run was given at its start', () => {
    expect(endOf({}, BUDGETS, 60_999)).toBeNull();
    expect(endOf({}, BUDGETS, 61_000)).toEqual({ status: 'failed', reason: 'budget_time' });
  });

  it('the cost, where there is a limit and a price', () => {
    const at = (cost: number | undefined, maxCost: number | null) =>
      endOf(
        { run: { ...run, usage: { ...NO_USAGE, ...(cost !== undefined && { cost }) } } },
        { ...BUDGETS, maxCost },
      );
    expect([at(0.49, 0.5), at(9, null), at(undefined, 0.5)]).toEqual([null, null, null]);
    expect(at(0.5, 0.5)).toEqual({ status: 'failed', reason: 'budget_cost' });
  });

  it.each<[string, Partial<ToolCall>[], string, string]>([
    ['a closing tool that succeeded is the final answer', [{ tool: 'save' }], 'completed', 'final_answer'],
    [
      'also beside a call that was refused',
      [{ status: 'failed' }, { tool: 'save' }],
      'completed',
      'final_answer',
    ],
    ['one that was declined is none', [{ tool: 'save', status: 'declined' }], 'failed', 'budget_iterations'],
    [
      'two must both succeed',
      [{ tool: 'save' }, { tool: 'save', status: 'unknown' }],
      'failed',
      'budget_iterations',
    ],
    ['any other tool is none', [{}], 'failed', 'budget_iterations'],
  ])('in the last turn: %s', (_name, calls, status, reason) => {
    expect(endOf({ turns: turns(3), calls: callsIn(2, ...calls) })).toEqual({ status, reason });
  });

  it('a closing tool that succeeded counts although the time is over or the money spent', () => {
    const costly = { ...run, usage: { ...NO_USAGE, cost: 9 } };
    const fields = { run: costly, turns: turns(3), calls: callsIn(2, { tool: 'save' }) };
    expect(endOf(fields, { ...BUDGETS, maxCost: 1 }, 99_000)).toMatchObject({ reason: 'final_answer' });
  });

  it('a closing tool in any other turn ends nothing', () => {
    expect(endOf({ turns: turns(1), calls: callsIn(0, { tool: 'save' }) })).toBeNull();
  });
});
