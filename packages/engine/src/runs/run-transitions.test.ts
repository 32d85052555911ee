import { type RunStatus, runStatus } from '@plinth/protocol';
import { aRun } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { applyChanges } from './ledger-change.js';
import { assertTransition, canTransition, hasEnded, IllegalTransition } from './run-transitions.js';

/** Rows: from. Columns, in the order of the protocol: queued, running, interrupted, completed, failed, cancelled. */
const TABLE: Record<RunStatus, string> = {
  queued: '-+--++',
  running: '-+++++',
  interrupted: '+---++',
  completed: '------',
  failed: '------',
  cancelled: '------',
};

const ALL = runStatus.options;
const PAIRS = ALL.flatMap((from) =>
  ALL.map((to, column) => ({ from, to, allowed: TABLE[from][column] === '+' })),
);

describe('the transitions of a run', () => {
  it.each(PAIRS)('$from -> $to: $allowed', ({ from, to, allowed }) => {
    expect(canTransition(from, to)).toBe(allowed);
    if (allowed) expect(() => assertTransition(from, to)).not.toThrow();
    else expect(() => assertTransition(from, to)).toThrow(IllegalTransition);
  });

  it.each(PAIRS.filter(({ from, to }) => from !== to))(
    'a change of the ledger keeps to them: $from -> $to',
    ({ from, to, allowed }) => {
      const record = { run: aRun({ status: from }), turns: [], calls: [], interrupts: [], artifacts: [] };
      const change = () => applyChanges(record, [{ type: 'run.update', set: { status: to } }]);
      if (allowed) expect(change().run.status).toBe(to);
      else expect(change).toThrow(IllegalTransition);
    },
  );

  it('an ended run is ended for ever', () => {
    expect(ALL.filter(hasEnded)).toEqual(['completed', 'failed', 'cancelled']);
    for (const from of ALL.filter(hasEnded)) expect(ALL.filter((to) => canTransition(from, to))).toEqual([]);
  });

  it('a refused change names both ends', () => {
    expect(() => assertTransition('completed', 'running')).toThrow(
      'a run cannot go from completed to running',
    );
  });
});
