import type { StreamRef } from '@plinth/engine';
import { ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventReader } from '../src/events/event-reader.js';
import { LogEventWriter } from '../src/events/log-event-writer.js';
import { LogPositions } from '../src/events/log-positions.js';
import { PublishedMarks } from '../src/events/published-marks.js';
import { RedisEventLog } from '../src/events/redis-event-log.js';
import { RedisConnections } from '../src/platform/redis/redis-connections.js';
import { RedisKeys } from '../src/platform/redis/redis-keys.js';
import { follow, startOwnRedis } from './own-redis.js';
import { acme, aMessageStream } from './redis-fixture.js';
import { TestOutbox } from './test-outbox.js';

/** Servers are started and stopped here, on machines that may be busy. */
const PATIENT_MS = 60_000;

const closing: (() => Promise<void>)[] = [];
let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let outbox: TestOutbox;
let stream: StreamRef;

const ownRedis = async () => {
  const started = await startOwnRedis();
  closing.push(started.close);
  return started;
};

/** A process that writes, and knows nothing but what the ledger says. */
function aProcess(url = redis.url) {
  const connections = new RedisConnections({ url, onError: () => {} });
  closing.unshift(() => connections.close(0));
  const [commands, once, keys] = [connections.get('commands'), connections.get('once'), new RedisKeys()];
  const log = new RedisEventLog(commands, once, keys);
  const marks = new PublishedMarks(outbox, new ManualClock(), () => {});
  const parts = { outbox, log, positions: new LogPositions(outbox), marks, ttlSeconds: async () => 60 };
  const reader = new EventReader(commands, keys);
  const present = async () =>
    (await reader.read(acme, stream, null, 1_000)).map(({ seq, payload }) => `${seq} ${payload}`);
  return { commands, once, log, present, writer: new LogEventWriter(parts) };
}

/** The process that creates the stream, streams a little, and is then no more. The ledger knows of none of it. */
async function writeAndDie(...deltas: string[]): Promise<void> {
  const { writer } = aProcess();
  outbox.commit(stream, 'created');
  await writer.publish(acme, outbox.entries, [stream]);
  await outbox.markPublished(
    acme,
    outbox.entries.map(({ id }) => id),
  );
  for (const delta of deltas) expect(await writer.delta(acme, stream, 1, delta)).toBe('appended');
}

beforeEach(async () => {
  redis = await ownRedis();
  outbox = new TestOutbox();
  stream = aMessageStream();
}, PATIENT_MS);
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
}, PATIENT_MS);

describe('numbers that were given out before a loss are not given out again', { timeout: PATIENT_MS }, () => {
  it('flushed between the last append of a dead process and the first of another', async () => {
    await writeAndDie('a', 'b');
    const { commands, writer, present } = aProcess();
    await commands.flushall();
    outbox.commit(stream, 'c', 'd');
    expect(await writer.drain(acme, stream)).toBe('2-2');
    expect(await present()).toEqual(['2-1 c', '2-2 d']);
  });

  it('flushed, and the first to write streams: it hears of the new epoch first', async () => {
    await writeAndDie('a', 'b');
    const { commands, writer, present } = aProcess();
    await commands.flushall();
    expect(await writer.delta(acme, stream, 1, 'c')).toBe('epoch_raised');
    expect(await writer.delta(acme, stream, 1, 'abc')).toBe('appended');
    expect(await present()).toEqual(['2-1 abc']);
  });

  it('flushed, and begun anew by the outbox: one that has lost the run says nothing', async () => {
    await writeAndDie('a');
    outbox.fence = 2;
    const [old, sweeper] = [aProcess(), aProcess()];
    await sweeper.commands.flushall();
    outbox.commit(stream, 'c');
    await sweeper.writer.drain(acme, stream);
    expect(await old.writer.delta(acme, stream, 1, 'stale')).toBe('fenced');
    expect(await old.present()).toEqual(['2-1 c']);
  });

  it('flushed, and found out by one that has lost the run: it says nothing', async () => {
    await writeAndDie('a');
    outbox.fence = 2;
    const { commands, writer, present } = aProcess();
    await commands.flushall();
    expect(await writer.delta(acme, stream, 1, 'stale')).toBe('fenced');
    expect(await present()).toEqual([]);
  });

  it('came back with an older file', async () => {
    await writeAndDie('a');
    redis.keepFiles();
    const { writer, present } = aProcess();
    expect(await writer.delta(acme, stream, 1, 'b')).toBe('appended');
    await redis.comeBackOlder();
    const other = aProcess();
    outbox.commit(stream, 'c');
    expect(await other.writer.drain(acme, stream)).toBe('2-1');
    expect(await present()).toEqual(['1-1 created', '1-2 a', '2-1 c']);
  });

  it('restarted, so that the last second may be lost, also when it is not', async () => {
    await writeAndDie('a');
    await redis.restart();
    const { writer, present } = aProcess();
    outbox.commit(stream, 'c');
    expect(await writer.drain(acme, stream)).toBe('2-1');
    expect(await present()).toEqual(['1-1 created', '1-2 a', '2-1 c']);
  });

  it('a replica that had not heard of everything took over', async () => {
    const second = await ownRedis();
    const [first, replica] = [aProcess(), aProcess(second.url)];
    await follow(replica.commands, redis.url);
    await writeAndDie('a');
    await first.commands.wait(1, PATIENT_MS);
    await replica.commands.replicaof('NO', 'ONE');
    expect(await first.writer.delta(acme, stream, 1, 'b')).toBe('appended');
    outbox.commit(stream, 'c');
    expect(await replica.writer.drain(acme, stream)).toBe('2-1');
    expect(await replica.present()).toEqual(['1-1 created', '1-2 a', '2-1 c']);
  });

  it('a replica took over and gave back to the same process, which meanwhile has forgotten', async () => {
    const second = await ownRedis();
    const [first, replica] = [aProcess(), aProcess(second.url)];
    await follow(replica.commands, redis.url);
    await writeAndDie('a');
    await first.commands.wait(1, PATIENT_MS);
    await replica.commands.replicaof('NO', 'ONE');
    expect(await first.writer.delta(acme, stream, 1, 'b')).toBe('appended');
    await follow(first.commands, second.url);
    await first.commands.replicaof('NO', 'ONE');
    const other = aProcess();
    outbox.commit(stream, 'c');
    expect(await other.writer.drain(acme, stream)).toBe('2-1');
    expect(await other.present()).toEqual(['1-1 created', '1-2 a', '2-1 c']);
  });

  it('an append that begins an epoch is not sent again by a connection that was cut', async () => {
    const { commands, once, log, present } = aProcess();
    const begin = (payload: string, epoch: number) => {
      const begins = { fence: 0 };
      const as = { fence: null, expect: { epoch, tail: 0 }, begins, ttlSeconds: 60 };
      return log.append(acme, stream, { payload, eventId: null, ...as });
    };
    await begin('a', 1);
    redis.signal('SIGSTOP');
    const cut = begin('b', 2).catch((error: Error) => error.message);
    await new Promise((resolve) => setImmediate(resolve));
    once.disconnect(true);
    expect(await cut).toBe('the connection to Redis broke before a reply came');
    redis.signal('SIGCONT');
    await expect.poll(present, { timeout: PATIENT_MS }).toEqual(['1-1 a', '2-1 b']);
    // What would be sent again comes before this.
    await once.ping();
    await commands.ping();
    expect(await present()).toEqual(['1-1 a', '2-1 b']);
  });
});
