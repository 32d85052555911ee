import type { MessageView, StreamEntry } from '@plinth/protocol';
import { compareSeq, messageView, parseSeq } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryLog, arbitraryLogOf } from '../../testing/arbitrary-log.js';
import { anEntry, textDelta } from '../../testing/log-builder.js';
import { emptyMessageView } from './empty-message-view.js';
import { foldEntries, type MessageLog, textOf } from './message-log.js';
import { reduceMessage } from './reduce-message.js';
import { isAfter } from './seq.js';

const START: MessageLog = { view: emptyMessageView('msg_1', 'run_1'), cursor: null };

function fold(entries: readonly StreamEntry[], log = START): MessageLog {
  const { log: after, hole } = foldEntries(log, entries);
  expect(hole).toBeNull();
  return after;
}

/** As a session reads: a hole is read again once, and passed over if it is still there. */
function foldWithHoles(entries: readonly StreamEntry[]): MessageLog {
  const openHoles = new Set<string>();
  for (let log = START; ; ) {
    const fold = foldEntries(log, entries, openHoles);
    if (!fold.hole) return fold.log;
    openHoles.add(textOf(fold.hole) ?? '');
    log = START;
  }
}

const textOfTurn = (view: MessageView) => view.parts.find((part) => part.type === 'text')?.text ?? '';

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** A log, and how it is delivered: pieces that each begin at or before where the last one ended. */
const delivery = fc.tuple(
  arbitraryLog,
  fc.array(fc.record({ length: fc.nat(12), back: fc.nat(30) }), { maxLength: 12 }),
);

describe('folding the log of a message', () => {
  it('cut anywhere, with any entries delivered again: the end is that of the uncut log', () => {
    fc.assert(
      fc.property(delivery, ([entries, cuts]) => {
        let log = START;
        let read = 0;
        for (const { length, back } of cuts) {
          log = fold(entries.slice(Math.max(read - back, 0), read + length), log);
          read = Math.min(read + length, entries.length);
        }
        log = fold(entries.slice(read), log);
        expect(log).toEqual(fold(entries));
        expect(fold(entries, log)).toBe(log);
      }),
    );
  });

  it('read from the start over any later state (a page of the ledger has no cursor): the same end', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.nat(60), (entries, count) => {
        const later = { view: fold(entries.slice(0, count)).view, cursor: null };
        expect(fold(entries, later)).toEqual(fold(entries));
      }),
    );
  });

  it('a snapshot at any place, after a gap or on an empty start: the end is that of the uncut log', () => {
    fc.assert(
      fc.property(arbitraryLog, fc.nat(60), fc.nat(60), (entries, a, b) => {
        const [lost, at] = a < b ? [a, b] : [b, a];
        const known = entries.slice(0, at);
        const seq = known.at(-1)?.seq ?? '1-0';
        const gap: StreamEntry = { seq: '', type: 'gap', from: '1-0', to: seq };
        const snapshot: StreamEntry = { seq, type: 'snapshot', message: fold(known).view };
        const rest = entries.slice(at);
        expect(fold([...entries.slice(0, lost), gap, snapshot, ...rest]).view).toEqual(fold(entries).view);
        expect(fold([snapshot, ...rest]).view).toEqual(fold(entries).view);
      }),
    );
  });

  it('read again from any earlier place over a snapshot of the ledger, which lacks text that still streams: the same end', () => {
    fc.assert(
      fc.property(arbitraryLogOf({ isAlwaysDone: true }), fc.nat(60), fc.nat(60), (entries, a, b) => {
        const [place, at] = a < b ? [a, b] : [b, a];
        const state = fold(entries.slice(0, at)).view;
        const message = { ...state, parts: state.parts.filter((part) => part.type === 'tool' || part.done) };
        const seq = entries.slice(0, place).at(-1)?.seq ?? '1-0';
        const snapshot: StreamEntry = { seq, type: 'snapshot', message };
        expect(foldWithHoles([snapshot, ...entries.slice(place)])).toEqual(fold(entries));
      }),
    );
  });

  it('overlapping pieces never repeat text, and behind a hole nothing is guessed', () => {
    const range = fc.record({ from: fc.nat(40), length: fc.nat(15) });
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 40, maxLength: 60 }),
        fc.array(range, { maxLength: 30 }),
        (whole, ranges) => {
          let log = START;
          ranges.forEach(({ from, length }, index) => {
            const before = textOfTurn(log.view);
            const fold = foldEntries(log, [
              anEntry(textDelta(0, from, whole.slice(from, from + length)), index + 1),
            ]);
            const after = textOfTurn(fold.log.view);
            const reach = Math.min(from + length, whole.length);
            expect(after).toBe(
              from > before.length ? before : whole.slice(0, Math.max(before.length, reach)),
            );
            expect(fold.hole !== null).toBe(from > before.length);
            if (fold.hole) expect(fold.log).toBe(log);
            log = fold.log;
          });
        },
      ),
    );
  });

  it('never changes what it was given, and stays within the schema of the protocol', () => {
    fc.assert(
      fc.property(arbitraryLog, (entries) => {
        const end = entries.reduce(
          (view, entry) => deepFreeze(reduceMessage(view, deepFreeze(entry))),
          deepFreeze(START.view),
        );
        expect(messageView.parse(end)).toEqual(end);
      }),
    );
  });

  it('parts stand by turn, and within a turn reasoning, text, calls', () => {
    const rank = { reasoning: 0, text: 1, tool: 2 };
    fc.assert(
      fc.property(arbitraryLog, (entries) => {
        const places = fold(entries).view.parts.map((part) => part.turn * 10 + rank[part.type]);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
    );
  });

  it('places are compared as the protocol compares them', () => {
    const seq = fc.tuple(fc.nat(), fc.nat()).map(([epoch, n]) => `${epoch}-${n}`);
    fc.assert(
      fc.property(seq, seq, (a, b) => {
        const [left, right] = [parseSeq(a), parseSeq(b)];
        expect(isAfter(a, b)).toBe(left !== null && right !== null && compareSeq(left, right) > 0);
      }),
    );
  });
});
