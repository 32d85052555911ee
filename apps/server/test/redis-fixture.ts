import type { LogEntry, StreamRef } from '@plinth/engine';
import { compareSeq, type MessageId, parseSeq, type TenantId } from '@plinth/protocol';
import { createTestRedis, testRedisPrefix } from '@plinth/testkit';
import { Redis } from 'ioredis';
import { inject } from 'vitest';
import { EventReader } from '../src/events/event-reader.js';
import { RedisConnections } from '../src/platform/redis/redis-connections.js';
import { RedisKeys } from '../src/platform/redis/redis-keys.js';

export const acme = 'ten_acme' as TenantId;

let streams = 0;
export function aMessageStream(): StreamRef {
  streams += 1;
  return { kind: 'message', id: `msg_${streams}` as MessageId };
}

/** A database and a key prefix of its own, and what a process makes of them. */
export async function openRedis() {
  const { url, drop } = await createTestRedis(inject('plinth'));
  const keys = new RedisKeys(testRedisPrefix());
  const errors: unknown[] = [];
  const connect = () => new RedisConnections({ url, onError: (_connection, error) => errors.push(error) });
  const connections = connect();
  const commands = connections.get('commands');
  const once = connections.get('once');
  const reader = new EventReader(commands, keys);
  return {
    url,
    keys,
    commands,
    once,
    reader,
    connections,
    /** Connections of one more process. */
    connect,
    /** What the connections reported. */
    errors,
    entries: (tenant: TenantId, stream: StreamRef) => reader.read(tenant, stream, null, 100_000),
    /** As if Redis had come back with a file of the time when the log ended at `until`; without it, with none. */
    async lose(tenant: TenantId, stream: StreamRef, until?: string) {
      const { entries: key, head } = keys.log(tenant, stream);
      const kept = until === undefined ? [] : await reader.read(tenant, stream, null, 100_000);
      await commands.del(key);
      for (const { seq, payload } of kept)
        if (isUpTo(seq, until)) await commands.xadd(key, seq, 'p', payload);
      if (kept.length > 0) await commands.hset(head, 'history', 'another');
    },
    async close() {
      await connections.close();
      await drop();
    },
  };
}

export type RedisFixture = Awaited<ReturnType<typeof openRedis>>;

/** A connection that the code under test does not know of. */
export async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

export const payloadsOf = (entries: readonly LogEntry[]): string[] => entries.map(({ payload }) => payload);

function isUpTo(seq: string, until: string | undefined): boolean {
  const [place, end] = [parseSeq(seq), parseSeq(until ?? '')];
  return place !== null && end !== null && compareSeq(place, end) <= 0;
}
