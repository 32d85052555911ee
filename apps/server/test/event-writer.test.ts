import { LOG_START, type StreamRef } from '@plinth/engine';
import { ManualClock } from '@plinth/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogEventWriter } from '../src/events/log-event-writer.js';
import { LogPositions } from '../src/events/log-positions.js';
import { PublishedMarks } from '../src/events/published-marks.js';
import { RedisEventLog } from '../src/events/redis-event-log.js';
import { acme, aMessageStream, openRedis, payloadsOf, type RedisFixture } from './redis-fixture.js';
import { TestOutbox } from './test-outbox.js';

let redis: RedisFixture;
beforeAll(async () => {
  redis = await openRedis();
});
afterAll(() => redis.close());

const begins = { fence: 0 };
const anEntry = { payload: '{}', eventId: null, fence: 1, expect: LOG_START, begins, ttlSeconds: 60 };

describe('the event writer', () => {
  const process = (outbox: TestOutbox) => {
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys);
    const marks = new PublishedMarks(outbox, new ManualClock(), (error) => redis.errors.push(error));
    const parts = { outbox, log, positions: new LogPositions(outbox), marks, ttlSeconds: async () => 60 };
    return Object.assign(new LogEventWriter(parts), { marks });
  };
  /** The process that has created the stream. */
  const creator = async (outbox: TestOutbox, stream: StreamRef) => {
    const writer = process(outbox);
    await writer.publish(acme, [], [stream]);
    return writer;
  };
  const seqs = async (stream: StreamRef) => (await redis.entries(acme, stream)).map(({ seq }) => seq);

  it('publishes committed events in their order, once, and says how far the log has come', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const writer = await creator(outbox, stream);
    outbox.commit(stream, 'a', 'b', 'c');
    expect(process(outbox).position(acme, stream)).toBeNull();
    expect(await writer.drain(acme, stream)).toBe('1-3');
    expect(writer.position(acme, stream)).toEqual({ epoch: 1, tail: 3 });
    expect(await writer.drain(acme, stream)).toBeNull();
    await writer.marks.close();
    expect(outbox.entries).toEqual([]);
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(['a', 'b', 'c']);
  });

  it('a drain that begins while another is under way publishes what was committed before it', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const writer = process(outbox);
    outbox.commit(stream, 'a');
    const first = writer.drain(acme, stream);
    outbox.commit(stream, 'b');
    await Promise.all([first, writer.drain(acme, stream), writer.drain(acme, stream)]);
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(['a', 'b']);
  });

  it('several processes draining one stream at once: every event once, in order', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const payloads = Array.from({ length: 40 }, (_, index) => `${index}`);
    outbox.commit(stream, ...payloads);
    await Promise.all(
      [process(outbox), process(outbox), process(outbox)].map((writer) => writer.drain(acme, stream)),
    );
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(payloads);
  });

  it('an event whose mark could not be written is published once more without harm', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    outbox.commit(stream, 'a', 'b');
    const markPublished = outbox.markPublished.bind(outbox);
    outbox.markPublished = () => Promise.reject(new Error('the database went away'));
    const first = await creator(outbox, stream);
    await first.drain(acme, stream);
    await first.marks.close();
    expect(redis.errors.splice(0)).toEqual([new Error('the database went away')]);
    outbox.markPublished = markPublished;
    outbox.commit(stream, 'c');
    expect(await first.drain(acme, stream)).toBe('1-3');
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(['a', 'b', 'c']);
  });

  it('raises the epoch when the log is gone, and the ledger keeps it', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const writer = await creator(outbox, stream);
    outbox.commit(stream, 'a', 'b');
    await writer.drain(acme, stream);
    await writer.marks.close();
    await redis.lose(acme, stream);
    outbox.commit(stream, 'c');
    expect(await writer.drain(acme, stream)).toBe('2-1');
    expect(outbox.stored).toEqual({ epoch: 2, tail: 0 });
    await writer.marks.close();
    outbox.commit(stream, 'd');
    expect(await process(outbox).drain(acme, stream)).toBe('2-2');
  });

  it('a delta after a loss is not appended: the caller hears of the new epoch first', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const writer = await creator(outbox, stream);
    expect(await writer.delta(acme, stream, 1, 'one')).toBe('appended');
    await redis.lose(acme, stream);
    expect(await writer.delta(acme, stream, 1, 'two')).toBe('epoch_raised');
    expect(await seqs(stream)).toEqual([]);
    expect(await writer.delta(acme, stream, 1, 'one two')).toBe('appended');
    expect(await redis.entries(acme, stream)).toEqual([{ seq: '2-1', payload: 'one two' }]);
  });

  it.each(['the same', 'another'])(
    'a delta hears of an epoch that a drain of %s process has raised',
    async (which) => {
      const [outbox, stream] = [new TestOutbox(), aMessageStream()];
      const writer = await creator(outbox, stream);
      await writer.delta(acme, stream, 1, 'one');
      await writer.delta(acme, stream, 1, 'two');
      outbox.stored = { epoch: 1, tail: 2 };
      await redis.lose(acme, stream, '1-1');
      outbox.commit(stream, 'durable');
      await (which === 'another' ? process(outbox) : writer).drain(acme, stream);
      expect(await writer.delta(acme, stream, 1, 'three')).toBe('epoch_raised');
      expect(await writer.delta(acme, stream, 1, 'one two three')).toBe('appended');
      expect(await seqs(stream)).toEqual(['1-1', '2-1', '2-2']);
    },
  );

  it('of two writers of one run the older is refused', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const [old, young] = [await creator(outbox, stream), process(outbox)];
    expect(await old.delta(acme, stream, 1, 'a')).toBe('appended');
    expect(await young.delta(acme, stream, 2, 'b')).toBe('appended');
    expect(await old.delta(acme, stream, 1, 'c')).toBe('fenced');
    expect(await young.delta(acme, stream, 2, 'd')).toBe('appended');
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(['a', 'b', 'd']);
  });

  it('follows a log that is in a newer epoch than the ledger, and the ledger never gives that epoch out again', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys);
    await log.append(acme, stream, { ...anEntry, expect: { epoch: 12, tail: 0 } });
    outbox.commit(stream, 'a');
    expect(await process(outbox).drain(acme, stream)).toBe('12-2');
    expect(outbox.stored.epoch).toBe(12);
  });

  it('through any number of losses no number is used twice', async () => {
    const [outbox, stream] = [new TestOutbox(), aMessageStream()];
    const writer = process(outbox);
    const used: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      outbox.commit(stream, `${round}a`, `${round}b`);
      await writer.drain(acme, stream);
      for (const seq of await seqs(stream)) if (!used.includes(seq)) used.push(seq);
      const payload = new Map((await redis.entries(acme, stream)).map((entry) => [entry.seq, entry.payload]));
      expect(payload.get(used.at(-1) ?? '')).toBe(`${round}b`);
      if (round % 3 === 0) await redis.lose(acme, stream);
      if (round % 3 === 1) await redis.lose(acme, stream, used.at(-2));
    }
    expect(new Set(used).size).toBe(40);
  });
});
