import type { MessageEvent, TenantId } from '@plinth/protocol';
import { aRun, idle, ManualClock } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeltaOutcome, EventWriter } from './event-writer.js';
import { TurnStream } from './turn-stream.js';

type Delta = Extract<MessageEvent, { type: 'text.delta' | 'reasoning.delta' }>;

/** A log that does with each delta what it is told to, and is then well again. */
class OneLog implements EventWriter {
  readonly kept: Delta[] = [];
  asked = 0;

  constructor(private readonly outcomes: (DeltaOutcome | Error)[] = []) {}

  async drain() {
    return null;
  }

  async publish() {}

  position() {
    return null;
  }

  async delta(_tenant: TenantId, _stream: unknown, _fence: number, payload: string): Promise<DeltaOutcome> {
    this.asked += 1;
    const outcome = this.outcomes.shift() ?? 'appended';
    await Promise.resolve();
    if (outcome instanceof Error) throw outcome;
    // A new epoch: readers of the new one have nothing of the old.
    if (outcome === 'epoch_raised') this.kept.length = 0;
    if (outcome === 'appended') this.kept.push(JSON.parse(payload) as Delta);
    return outcome;
  }

  /** What a reader has who joins the pieces; null when a piece does not join. */
  read(channel: 'text' | 'reasoning'): string | null {
    return this.kept
      .filter(({ type }) => type === `${channel}.delta`)
      .reduce<string | null>(
        (text, { from, text: piece }) => (text === null || from !== text.length ? null : text + piece),
        '',
      );
  }
}

function streamTo(log: OneLog) {
  const clock = new ManualClock();
  let fenced = 0;
  const stream = new TurnStream(log, clock, 'ten_1' as TenantId, aRun(), 4, () => {
    fenced += 1;
  });
  return { clock, stream, fenced: () => fenced };
}

const pieces = (log: OneLog) => log.kept.map(({ text }) => text);

describe('streaming a turn', () => {
  it('the first piece goes out at once, later ones together', async () => {
    const log = new OneLog();
    const { clock, stream } = streamTo(log);
    stream.push('text', 'Hel');
    await idle();
    expect(pieces(log)).toEqual(['Hel']);
    for (const piece of ['lo', ' ', 'wor']) stream.push('text', piece);
    await idle();
    expect(pieces(log)).toEqual(['Hel']);
    clock.advance(20);
    await idle();
    expect(pieces(log)).toEqual(['Hel', 'lo wor']);
    stream.push('text', 'ld');
    await stream.close();
    expect(log.kept.map(({ from }) => from)).toEqual([0, 3, 9]);
    expect(log.kept[0]).toMatchObject({ type: 'text.delta', turn: 4 });
    expect(log.read('text')).toBe('Hello world');
    expect(clock.waiting).toBe(0);
  });

  it('after a pause the next piece goes out at once again', async () => {
    const log = new OneLog();
    const { clock, stream } = streamTo(log);
    stream.push('text', 'a');
    await idle();
    clock.advance(20);
    await idle();
    stream.push('text', 'b');
    await idle();
    expect(pieces(log)).toEqual(['a', 'b']);
    await stream.close();
  });

  it('much text does not wait for its time', async () => {
    const log = new OneLog();
    const { stream } = streamTo(log);
    stream.push('text', 'a');
    await idle();
    stream.push('text', 'b'.repeat(511));
    await idle();
    expect(log.kept).toHaveLength(1);
    stream.push('text', 'c');
    await idle();
    expect(pieces(log)[1]).toHaveLength(512);
    await stream.close();
  });

  it('an empty first piece, as models send it, does not hold the next ones back', async () => {
    const log = new OneLog();
    const { stream } = streamTo(log);
    stream.push('text', '');
    stream.push('text', 'a');
    await idle();
    expect(pieces(log)).toEqual(['a']);
    await stream.close();
  });

  it('a log that began a new epoch gets everything again, from the start', async () => {
    const log = new OneLog(['appended', 'appended', 'epoch_raised']);
    const { clock, stream } = streamTo(log);
    stream.push('reasoning', 'Hm.');
    stream.push('text', 'Hel');
    await idle();
    stream.push('text', 'lo');
    clock.advance(20);
    await idle();
    await stream.close();
    expect([log.read('reasoning'), log.read('text')]).toEqual(['Hm.', 'Hello']);
  });

  it('a fenced writer says so and is not asked for ever', async () => {
    const log = new OneLog(['fenced', 'fenced', 'fenced']);
    const { stream, fenced } = streamTo(log);
    stream.push('text', 'a');
    stream.push('text', 'b');
    await stream.close();
    expect(fenced()).toBe(1);
    expect(log.asked).toBe(1);
  });

  it('what the log throws rises from close, and nowhere else', async () => {
    const log = new OneLog([new Error('Redis is away')]);
    const { stream } = streamTo(log);
    stream.push('text', 'a');
    await idle();
    stream.push('text', 'b');
    await idle();
    await expect(stream.close()).rejects.toThrow('Redis is away');
  });

  it('after a reset it begins again at 0', async () => {
    const log = new OneLog();
    const { stream } = streamTo(log);
    stream.push('text', 'Hel');
    await stream.close();
    expect(stream.isEmpty).toBe(false);
    stream.reset();
    expect(stream.isEmpty).toBe(true);
    stream.push('text', 'Good');
    await idle();
    stream.push('text', 'bye');
    await stream.close();
    expect(log.kept.map(({ from, text }) => [from, text])).toEqual([
      [0, 'Hel'],
      [0, 'Good'],
      [4, 'bye'],
    ]);
    expect(stream.text).toBe('Goodbye');
  });

  it('nothing is lost and nothing comes twice, however it is cut and whatever the log does', async () => {
    const action = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          channel: fc.constantFrom('text' as const, 'reasoning' as const),
          piece: fc.string({ unit: 'grapheme', maxLength: 300 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ waitMs: fc.nat(30) }) },
    );
    const outcome = fc.constantFrom<DeltaOutcome>('appended', 'appended', 'appended', 'epoch_raised');
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 25 }),
        fc.array(outcome, { maxLength: 12 }),
        async (actions, outcomes) => {
          const log = new OneLog([...outcomes]);
          const { clock, stream } = streamTo(log);
          const said = { text: '', reasoning: '' };
          for (const action of actions) {
            if ('piece' in action) {
              said[action.channel] += action.piece;
              stream.push(action.channel, action.piece);
            } else {
              clock.advance(action.waitMs);
              await idle(1);
            }
          }
          await stream.close();
          expect([log.read('text'), log.read('reasoning')]).toEqual([said.text, said.reasoning]);
          expect([stream.text, stream.reasoning]).toEqual([said.text, said.reasoning]);
          expect(clock.waiting).toBe(0);
        },
      ),
    );
  });
});
