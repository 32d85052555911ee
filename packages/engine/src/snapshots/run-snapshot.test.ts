import type { ToolCallStatus } from '@plinth/protocol';
import { aCall, anArtifact, anImageRef, anInterrupt, aRun, aTurn } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContextCut, NO_CUT } from '../context/context-cut.js';
import type { RunState } from '../runs/run.js';
import { completeFromLedger, joinSnapshot, sealedTurnCount, splitSnapshot } from './run-snapshot.js';

const settled: ToolCallStatus[] = [
  'succeeded',
  'failed',
  'declined',
  'expired',
  'cancelled',
  'superseded',
  'unknown',
];

/** Statuses of the calls of each turn: all turns but the last are settled, as the closure invariant has it. */
const shape = fc.tuple(
  fc.array(fc.array(fc.constantFrom(...settled), { maxLength: 4 }), { maxLength: 6 }),
  fc.array(fc.constantFrom<ToolCallStatus>('pending', 'started', ...settled), { maxLength: 4 }),
);
const oddText = fc.string({ unit: 'binary' });
const aCut: fc.Arbitrary<ContextCut> = fc.record({
  from: fc.nat(9),
  summary: fc.option(oddText, { nil: null }),
  clearedBefore: fc.nat(9),
  shortened: fc.option(fc.record({ before: fc.nat(9), to: fc.nat(900) }), { nil: null }),
  images: fc.dictionary(oddText, fc.constantFrom('rejected' as const, 0, 5), { maxKeys: 3 }),
  removed: fc.dictionary(oddText, fc.nat(9), { maxKeys: 3 }),
  learned: fc.constantFrom({}, { inputTokens: 1_000 }, { bodyBytes: 1, maxImages: 0 }),
  walls: fc.constantFrom({}, { result_cleared: 'tokens' as const }),
});

const arbitraryState: fc.Arbitrary<RunState> = fc
  .tuple(shape, fc.array(oddText, { maxLength: 4 }), oddText, fc.nat(9), aCut, fc.option(aCut, { nil: null }))
  .map(([[before, last], history, text, fence, inheritedCut, contextCut]) => {
    const turns = [...before, last].map((_, index) =>
      aTurn({ index, assistantRaw: text, reasoning: index % 2 ? text : null }),
    );
    const calls = [...before, last].flatMap((statuses, turnIndex) =>
      statuses.map((status, position) =>
        aCall({
          turnIndex,
          position,
          status,
          argumentsRaw: text,
          images: position % 2 ? [anImageRef({ title: text })] : [],
          resultText: settled.includes(status) ? text : null,
        }),
      ),
    );
    const interrupts = calls.flatMap(({ id }, index) =>
      index % 3 === 0
        ? []
        : [anInterrupt({ callId: id, answer: index % 2 ? { type: 'submit', value: text } : null })],
    );
    const artifacts = calls.flatMap(({ id }, index) =>
      index % 4 === 0 ? [anArtifact({ callId: id, title: text })] : [],
    );
    const run = aRun({ fence, contextCut });
    return { run, history, inheritedCut, turns, calls, interrupts, artifacts };
  });

describe('a snapshot in its parts', () => {
  it('joined again is the state, whatever the state', () => {
    fc.assert(
      fc.property(arbitraryState, (state) => {
        const { head, segments } = splitSnapshot(state, 0);
        expect(joinSnapshot(head, segments)).toEqual(state);
        expect([...segments.keys()]).toEqual(Array.from({ length: sealedTurnCount(state) + 1 }, (_, n) => n));
      }),
    );
  });

  it('a later write brings only new segments, and the old ones fit it', () => {
    fc.assert(
      fc.property(arbitraryState, fc.nat(6), (state, cut) => {
        const few = Math.min(cut, sealedTurnCount(state));
        const within = (turn: number) => turn < few;
        const calls = state.calls.filter(({ turnIndex }) => within(turnIndex));
        const ids = new Set<string>(calls.map(({ id }) => id));
        const earlier: RunState = {
          ...state,
          turns: state.turns.filter(({ index }) => within(index)),
          calls,
          interrupts: state.interrupts.filter(({ callId }) => ids.has(callId)),
          artifacts: state.artifacts.filter(({ callId }) => callId !== null && ids.has(callId)),
        };
        const first = splitSnapshot(earlier, 0);
        const next = sealedTurnCount(earlier) + 1;
        const second = splitSnapshot(state, next);
        expect([...second.segments.keys()].every((number) => number >= next)).toBe(true);
        expect(joinSnapshot(second.head, new Map([...first.segments, ...second.segments]))).toEqual(state);
      }),
    );
  });

  it('with any segment missing, or of another format, it is none', () => {
    fc.assert(
      fc.property(arbitraryState, fc.nat(), (state, which) => {
        const { head, segments } = splitSnapshot(state, 0);
        const missing = which % segments.size;
        expect(
          joinSnapshot(head, new Map([...segments].filter(([number]) => number !== missing))),
        ).toBeNull();
        expect(joinSnapshot(head.replace('"format":2', '"format":1'), segments)).toBeNull();
      }),
    );
  });

  it('a turn with an open call is not sealed, nor is any behind it', () => {
    const turns = [0, 1, 2].map((index) => aTurn({ index }));
    const calls = [
      aCall({ turnIndex: 0, status: 'succeeded' }),
      aCall({ turnIndex: 1, status: 'started' }),
      aCall({ turnIndex: 2, status: 'succeeded' }),
    ];
    const before = { history: [], inheritedCut: NO_CUT };
    const state: RunState = { run: aRun(), ...before, turns, calls, interrupts: [], artifacts: [] };
    expect(sealedTurnCount(state)).toBe(1);
    expect(sealedTurnCount({ ...state, calls: [] })).toBe(3);
    expect(sealedTurnCount({ ...state, turns: [], calls: [] })).toBe(0);
  });

  it('completed from the ledger it is what the ledger says, however old it is', () => {
    fc.assert(
      fc.property(arbitraryState, fc.nat(6), (truth, cut) => {
        const sealed = Math.min(cut, sealedTurnCount(truth));
        const tailCalls = truth.calls.filter(({ turnIndex }) => turnIndex >= sealed);
        const tailIds = new Set<string>(tailCalls.map(({ id }) => id));
        const tail = {
          run: truth.run,
          turns: truth.turns.filter(({ index }) => index >= sealed),
          calls: tailCalls,
          interrupts: truth.interrupts.filter(({ callId }) => tailIds.has(callId)),
          artifacts: truth.artifacts.filter(({ callId }) => callId !== null && tailIds.has(callId)),
        };
        const old: RunState = {
          ...truth,
          run: aRun(),
          turns: truth.turns.slice(0, sealed + 1),
          calls: truth.calls
            .filter(({ turnIndex }) => turnIndex <= sealed)
            .map((call) =>
              call.turnIndex === sealed ? { ...call, status: 'pending', resultText: null } : call,
            ),
        };
        expect(completeFromLedger(old, tail, sealed)).toEqual(truth);
      }),
    );
  });

  it('a head that is not JSON, or nothing of ours, throws and is a miss to its reader', () => {
    for (const head of ['', 'null', '{"format":'])
      expect(() => joinSnapshot(head, new Map([[0, '[]']]))).toThrow();
  });
});
