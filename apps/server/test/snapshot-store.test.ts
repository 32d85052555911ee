import type { RunId } from '@plinth/protocol';
import { describeSnapshotStore } from '@plinth/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisSnapshotStore } from '../src/snapshots/redis-snapshot-store.js';
import { acme, openRedis, type RedisFixture } from './redis-fixture.js';

describeSnapshotStore('Redis hashes', async () => {
  const { commands, keys, close } = await openRedis();
  return { store: new RedisSnapshotStore(commands, keys), close };
});

describe('a snapshot in Redis', () => {
  let redis: RedisFixture;
  beforeAll(async () => {
    redis = await openRedis();
  });
  afterAll(() => redis.close());

  const runId = 'run_1' as RunId;
  const snapshot = {
    head: Uint8Array.of(1),
    segments: new Map<number, Uint8Array>(),
    fence: 1,
    ttlSeconds: 60,
  };
  const secondsLeft = async () =>
    Math.ceil((await redis.commands.pttl(redis.keys.snapshot(acme, runId))) / 1000);

  it('lives for as long as the last write or keepFor says, whole', async () => {
    const store = new RedisSnapshotStore(redis.commands, redis.keys);
    await store.write(acme, runId, snapshot);
    expect(await secondsLeft()).toBe(60);
    await store.keepFor(acme, runId, 7);
    expect(await secondsLeft()).toBe(7);
    await store.write(acme, runId, { ...snapshot, ttlSeconds: 90 });
    expect(await secondsLeft()).toBe(90);
  });

  it('a refused write does not prolong it', async () => {
    const store = new RedisSnapshotStore(redis.commands, redis.keys);
    await store.write(acme, runId, { ...snapshot, fence: 5 });
    await store.write(acme, runId, { ...snapshot, fence: 4, ttlSeconds: 600 });
    expect(await secondsLeft()).toBe(60);
  });

  it('a suspension sends the head and the new segment, whatever the history', async () => {
    const store = new RedisSnapshotStore(redis.commands, redis.keys);
    const history = new Map(Array.from({ length: 400 }, (_, index) => [index, new Uint8Array(500)]));
    await store.write(acme, runId, { ...snapshot, fence: 6, segments: history });
    await store.write(acme, runId, { ...snapshot, fence: 6, segments: new Map([[400, Uint8Array.of(4)]]) });
    expect((await store.read(acme, runId))?.segments.size).toBe(401);
  });
});
