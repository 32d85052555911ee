import { until } from '@plinth/testkit/system';
import type { Redis } from 'ioredis';

/** Redis keys of a run's snapshot: one, or none. */
export const snapshotKeys = (redis: Redis, runId: string): Promise<string[]> =>
  redis.keys(`plinth:{run:${runId}}:*:snapshot`);

/** Bytes of a run's snapshot as it is stored: names and values of all its fields. */
export async function snapshotBytes(redis: Redis, runId: string): Promise<number> {
  const [key] = await snapshotKeys(redis, runId);
  const fields = key === undefined ? [] : Object.entries(await redis.hgetallBuffer(key));
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** The Redis key of a message's event log. @throws Error when there is no log */
export async function logKey(redis: Redis, messageId: string): Promise<string> {
  const [key] = await redis.keys(`plinth:{msg:${messageId}}:*:events`);
  if (key === undefined) throw new Error(`message ${messageId} has no event log`);
  return key;
}

/** The types of the events that stand in a message's log, oldest first. */
export async function loggedTypes(redis: Redis, messageId: string): Promise<string[]> {
  const entries = await redis.xrange(await logKey(redis, messageId), '-', '+');
  return entries.map(([, [, payload]]) => (JSON.parse(payload ?? '{}') as { type: string }).type);
}

/**
 * Resolves when a run waits and the last event of its log says so: it is written after the snapshot, which is
 * written after the rows.
 */
export async function isParked(redis: Redis, runId: string, messageId: string): Promise<void> {
  await until(
    `run ${runId} parked, with its snapshot`,
    async () => {
      const [key] = await redis.keys(`plinth:{msg:${messageId}}:*:events`);
      const [last] = key === undefined ? [] : await redis.xrevrange(key, '+', '-', 'COUNT', 1);
      return (
        last?.[1][1]?.startsWith('{"type":"run.interrupted"') &&
        (await snapshotKeys(redis, runId)).length === 1
      );
    },
    60_000,
  );
}
