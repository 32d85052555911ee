import { emptyMessageView, reduceMessage } from '@plinth/client';
import type { LogEntry } from '@plinth/engine';
import type { EventBody, MessageView } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldFinishedTexts, type ReplayEntry } from './fold-finished-texts.js';

const AT = '2026-01-01T10:00:00.000Z';
const toLog = (bodies: readonly EventBody[]): LogEntry[] =>
  bodies.map((body, index) => ({
    seq: `1-${index + 1}`,
    payload: JSON.stringify({ ...body, runId: 'run_1', messageId: 'msg_1', at: AT }),
  }));
const told = (replay: readonly ReplayEntry[]) =>
  replay.map(({ kind, from, seq }) => `${kind} ${from} ${seq}`);
const reduce = (entries: readonly { payload: string }[], view = emptyMessageView('msg_1', 'run_1')) =>
  entries.reduce<MessageView>((state, { payload }) => reduceMessage(state, JSON.parse(payload)), view);

type Channel = 'text' | 'reasoning';
const delta = (channel: Channel, turn: number, from: number, text: string): EventBody => ({
  type: `${channel}.delta`,
  turn,
  from,
  text,
});
const done = (channel: Channel, turn: number, text: string): EventBody => ({
  type: `${channel}.done`,
  turn,
  text,
});
const started = (turn: number): EventBody => ({ type: 'turn.started', turn, of: 9 });
const text = (turn: number, ...pieces: string[]) =>
  pieces.map((piece, index) => delta('text', turn, pieces.slice(0, index).join('').length, piece));

/** A turn as a worker writes it: both channels mixed, tries that are withdrawn, an end that may be missing. */
const aTurn = fc.record({
  pieces: fc.array(
    fc.record({ channel: fc.constantFrom<Channel>('text', 'reasoning'), text: fc.string({ minLength: 1 }) }),
    { maxLength: 8 },
  ),
  tries: fc.nat(2),
  isDone: fc.boolean(),
});

function bodiesOf(plan: { pieces: { channel: Channel; text: string }[]; tries: number; isDone: boolean }[]) {
  return plan.flatMap(({ pieces, tries, isDone }, turn): EventBody[] => {
    const full = { text: '', reasoning: '' };
    const deltas = pieces.map(({ channel, text: piece }) => {
      const from = full[channel].length;
      full[channel] += piece;
      return delta(channel, turn, from, piece);
    });
    const reset: EventBody = { type: 'message.reset', turn, why: 'model: timeout' };
    const ends = (['reasoning', 'text'] as const).flatMap((channel) =>
      full[channel] === '' ? [] : [done(channel, turn, full[channel])],
    );
    return [
      started(turn),
      ...Array.from({ length: tries }, () => [...deltas, reset]).flat(),
      ...deltas,
      ...(isDone ? ends : [reset]),
    ];
  });
}

describe('folding finished texts', () => {
  it('the pieces of a finished text become one entry, and the whole text stays', () => {
    const log = toLog([started(0), ...text(0, 'a', 'b', 'c'), done('text', 0, 'abc'), started(1)]);
    const replay = foldFinishedTexts(log);
    expect(told(replay)).toEqual(['entry 1-1 1-1', 'folded 1-2 1-4', 'entry 1-5 1-5', 'entry 1-6 1-6']);
    expect(JSON.parse(replay[1]?.payload ?? '')).toEqual({ type: 'folded', from: '1-2', to: '1-4' });
  });

  it('reasoning and text of a turn are one', () => {
    const pieces = [delta('reasoning', 0, 0, 'h'), ...text(0, 'a', 'b'), delta('reasoning', 0, 1, 'm')];
    const log = toLog([...pieces, done('reasoning', 0, 'hm'), done('text', 0, 'ab')]);
    expect(told(foldFinishedTexts(log))).toEqual(['folded 1-1 1-4', 'entry 1-5 1-5', 'entry 1-6 1-6']);
  });

  it.each<[string, EventBody[]]>([
    ['a text that still streams', text(0, 'a', 'b', 'c')],
    ['a text of one piece', [...text(0, 'a'), done('text', 0, 'a')]],
    ['a text that was withdrawn', [...text(0, 'a', 'b'), { type: 'message.reset', turn: 0, why: 'x' }]],
    [
      'one whose reasoning is not finished',
      [delta('reasoning', 0, 0, 'h'), ...text(0, 'a'), done('text', 0, 'a')],
    ],
  ])('%s is left as it is', (_name, bodies) => {
    const log = toLog(bodies);
    expect(told(foldFinishedTexts(log))).toEqual(log.map(({ seq }) => `entry ${seq} ${seq}`));
  });

  it('nothing is folded over a hole', () => {
    const [first, ...others] = toLog([...text(0, 'a', 'b', 'c', 'd'), done('text', 0, 'abcd')]);
    const log = first ? [first, ...others.slice(1)] : [];
    expect(told(foldFinishedTexts(log))).toEqual(['entry 1-1 1-1', 'folded 1-3 1-4', 'entry 1-5 1-5']);
  });

  it('whatever the log and wherever a reader is in it: no entry is left out, and the state comes out the same', () => {
    fc.assert(
      fc.property(fc.array(aTurn, { maxLength: 4 }), fc.nat(80), (plan, cut) => {
        const log = toLog(bodiesOf(plan));
        const [read, rest] = [log.slice(0, cut), log.slice(cut)];
        const replay = foldFinishedTexts(rest);
        let next = read.length + 1;
        for (const { from, seq } of replay) {
          expect(from).toBe(`1-${next}`);
          next = Number(seq.split('-')[1]) + 1;
        }
        expect(next).toBe(log.length + 1);
        expect(reduce(replay, reduce(read))).toEqual(reduce(log));
      }),
    );
  });
});
