/** Room of its own in the Redis of the test run. */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { TestServices } from './provided.js';

export interface TestRedis {
  /** A numbered database that no other test file uses at the same time. */
  readonly url: string;
  /** Empties it. */
  drop(): Promise<void>;
}

/** Takes the next numbered database; number 0 only holds the counter. */
export async function createTestRedis(provided: TestServices): Promise<TestRedis> {
  const count = await withRedis(provided.redisUrl, (redis) => redis.incr('plinth:test:databases'));
  const database = 1 + (count % (provided.redisDatabases - 1));
  const url = new URL(provided.redisUrl);
  url.pathname = `/${database}`;
  const clear = () => withRedis(url.toString(), (redis) => redis.flushdb());
  await clear();
  return {
    url: url.toString(),
    async drop() {
      await clear();
    },
  };
}

/** A key prefix that no other test uses, for code that takes a prefix. */
export function testRedisPrefix(): string {
  return `test-${randomUUID()}`;
}

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
