import { LOG_START } from '@plinth/engine';
import { describeEventLog } from '@plinth/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisEventLog } from '../src/events/redis-event-log.js';
import { RedisSubscriber } from '../src/platform/redis/redis-subscriber.js';
import { acme, aMessageStream, openRedis, payloadsOf, type RedisFixture } from './redis-fixture.js';

describeEventLog('Redis streams', async () => {
  const { commands, once, keys, entries, lose, close } = await openRedis();
  return { log: new RedisEventLog(commands, once, keys), entries, lose, close };
});

let redis: RedisFixture;
beforeAll(async () => {
  redis = await openRedis();
});
afterAll(() => redis.close());

const begins = { fence: 0 };
const anEntry = { payload: '{}', eventId: null, fence: 1, expect: LOG_START, begins, ttlSeconds: 60 };

describe('an event log in Redis', () => {
  it('all its keys expire together, and are kept for as long as the last append or keepFor says', async () => {
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys);
    const stream = aMessageStream();
    const { entries, head, seen } = redis.keys.log(acme, stream);
    const ttls = async () =>
      Promise.all(
        [entries, head, seen].map(async (key) => Math.ceil((await redis.commands.pttl(key)) / 1000)),
      );
    await log.append(acme, stream, { ...anEntry, eventId: 'e1' });
    expect(await ttls()).toEqual([60, 60, 60]);
    await log.append(acme, stream, { ...anEntry, ttlSeconds: 600 });
    expect(await ttls()).toEqual([600, 600, 600]);
    await log.keepFor(acme, stream, 7);
    expect(await ttls()).toEqual([7, 7, 7]);
    await log.setFence(acme, stream, 2, 50);
    expect(await ttls()).toEqual([7, 50, 7]);
  });

  it('keeps so many entries and seen ids, and numbers on', async () => {
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys, {
      maxEntries: 3,
      trim: 'exact',
      maxSeenIds: 2,
    });
    const stream = aMessageStream();
    for (let n = 1; n <= 6; n += 1)
      await log.append(acme, stream, { ...anEntry, payload: `${n}`, eventId: `e${n}` });
    expect(payloadsOf(await redis.entries(acme, stream))).toEqual(['4', '5', '6']);
    expect(await redis.reader.first(acme, stream)).toEqual({ seq: '1-4', payload: '4' });
    expect(await redis.reader.tail(acme, stream)).toEqual({ seq: '1-6', payload: '6' });
    expect(await redis.commands.zrange(redis.keys.log(acme, stream).seen, 0, -1)).toEqual(['e5', 'e6']);
  });

  it('never gives out a number again, not even that of an entry that was deleted', async () => {
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys);
    const stream = aMessageStream();
    for (let n = 1; n <= 3; n += 1) await log.append(acme, stream, anEntry);
    await redis.commands.xdel(redis.keys.log(acme, stream).entries, '1-2', '1-3');
    expect(await log.append(acme, stream, anEntry)).toEqual({ kind: 'appended', seq: '1-4' });
  });

  it('tells of every entry on the channel of its log', async () => {
    const log = new RedisEventLog(redis.commands, redis.once, redis.keys);
    const stream = aMessageStream();
    const heard: string[] = [];
    const subscriber = new RedisSubscriber(redis.connections.get('subscriber'), (error) =>
      redis.errors.push(error),
    );
    const listener = { message: (text: string) => void heard.push(text), resumed: () => {} };
    const stop = await subscriber.subscribe(redis.keys.log(acme, stream).channel, listener);
    await log.append(acme, stream, { ...anEntry, payload: '{ "a b": 1 }' });
    await expect.poll(() => heard).toEqual(['1-1 { "a b": 1 }']);
    stop();
  });

  it('an append works on a Redis that does not know the script', async () => {
    const stream = aMessageStream();
    await redis.commands.script('FLUSH');
    expect(
      (await new RedisEventLog(redis.commands, redis.once, redis.keys).append(acme, stream, anEntry)).kind,
    ).toBe('appended');
  });
});
