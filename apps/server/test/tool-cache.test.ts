import type { TenantId } from '@plinth/protocol';
import { describeToolCache } from '@plinth/testkit';
import { until } from '@plinth/testkit/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisToolCache } from '../src/tools/redis-tool-cache.js';
import { acme, openRedis, type RedisFixture } from './redis-fixture.js';

describeToolCache('Redis', async () => {
  const { commands, keys, close } = await openRedis();
  const cache = new RedisToolCache(commands, keys, 3);
  const clock = 'ten_clock' as TenantId;
  return {
    cache,
    async passASecond() {
      await cache.put(clock, 'a second', '1', 1);
      await until('a second to pass', async () => (await cache.get(clock, 'a second')) === null);
    },
    close,
  };
});

describe('results in Redis', () => {
  let redis: RedisFixture;
  beforeAll(async () => {
    redis = await openRedis();
  });
  afterAll(() => redis.close());

  it('take as much room as is allowed, and are gone when the last one has ended', async () => {
    const cache = new RedisToolCache(redis.commands, redis.keys, 5);
    for (let n = 0; n < 50; n += 1) await cache.put(acme, `key ${n}`, String(n), 60 + n);
    const { results, ends } = redis.keys.toolCache(acme);
    expect(await redis.commands.hlen(results)).toBe(5);
    expect(await redis.commands.zcard(ends)).toBe(5);
    await cache.put(acme, 'short', '1', 1);
    for (const name of [results, ends]) {
      const left = await redis.commands.pttl(name);
      expect(left).toBeGreaterThan(100_000);
      expect(left).toBeLessThanOrEqual(109_000);
    }
  });
});
