import { describeRateLimiter } from '@plinth/testkit';
import { until } from '@plinth/testkit/system';
import { describe, expect, it } from 'vitest';
import { RedisRateLimiter } from '../src/tools/redis-rate-limiter.js';
import { acme, openRedis } from './redis-fixture.js';

describeRateLimiter('Redis', async () => {
  const { commands, keys, close } = await openRedis();
  return {
    limiter: new RedisRateLimiter(commands, keys),
    async pass() {
      const left = async () => (await commands.keys(`*:rate:*/1`)).length;
      await until('the window of a second to pass', async () => (await left()) === 0);
    },
    close,
  };
});

describe('a rate limiter whose Redis is away', () => {
  it('says so', async () => {
    const { commands, keys, connections, close } = await openRedis();
    const limiter = new RedisRateLimiter(commands, keys);
    await connections.close();
    const use = { tool: 'pay', endUserId: null, max: 1, perSeconds: 60 };
    await expect(limiter.take(acme, use)).rejects.toThrow('closed');
    await close();
  });
});
