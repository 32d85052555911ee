import type { RunId } from '@plinth/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RedisSubscriber } from '../src/platform/redis/redis-subscriber.js';
import { BullMqNudges } from '../src/runs/bullmq-nudges.js';
import { BullMqScheduler } from '../src/runs/bullmq-scheduler.js';
import { acme, openRedis, type RedisFixture } from './redis-fixture.js';

const runA = 'run_a' as RunId;
const runB = 'run_b' as RunId;

let redis: RedisFixture;
let scheduler: BullMqScheduler;
let closers: (() => Promise<void>)[];
beforeEach(async () => {
  redis = await openRedis();
  closers = [];
  const { commands, keys, connections } = redis;
  scheduler = new BullMqScheduler({
    queue: connections.get('queue'),
    commands,
    keys,
    onError: (error) => redis.errors.push(error),
  });
});
afterEach(async () => {
  for (const close of closers) await close();
  await scheduler.close();
  await redis.close();
});

describe('a nudge', () => {
  it('reaches who holds the run, in whatever process, and nobody else', async () => {
    const heard: string[] = [];
    const nudgesOf = async () => {
      const connections = redis.connect();
      const nudges = new BullMqNudges(
        new RedisSubscriber(connections.get('subscriber'), () => {}),
        redis.keys,
      );
      await nudges.start();
      closers.push(async () => {
        nudges.stop();
        await connections.close();
      });
      return nudges;
    };
    const [here, there] = [await nudgesOf(), await nudgesOf()];
    here.listen(runA, () => heard.push('a here'));
    const stop = there.listen(runA, () => heard.push('a there'));
    there.listen(runB, () => heard.push('b there'));
    await scheduler.nudge(acme, runA);
    await expect.poll(() => heard.toSorted()).toEqual(['a here', 'a there']);
    stop();
    await redis.commands.publish(redis.keys.nudgeChannel, 'not JSON');
    await scheduler.nudge(acme, runA);
    await scheduler.nudge(acme, runB);
    await expect.poll(() => heard.toSorted()).toEqual(['a here', 'a here', 'a there', 'b there']);
  });
});

describe('a hint', () => {
  it('does not fail when Redis is away: the change that it tells of is committed', async () => {
    redis.connections.get('queue').disconnect();
    redis.commands.disconnect();
    await scheduler.wake(acme, runA);
    await scheduler.nudge(acme, runA);
    expect(redis.errors).toHaveLength(2);
  });
});
