import type { SnapshotFields, SnapshotStore } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import type { Redis } from 'ioredis';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { writeSnapshot } from './write-snapshot-2.lua.js';

const SEGMENT = /^seg:(\d+)$/;

/** Snapshots in Redis: one hash a run, its head in one field and every segment in one of its own. */
export class RedisSnapshotStore implements SnapshotStore {
  constructor(
    private readonly redis: Redis,
    private readonly keys: RedisKeys,
  ) {}

  async write(
    tenant: TenantId,
    runId: RunId,
    snapshot: Parameters<SnapshotStore['write']>[2],
  ): Promise<number | null> {
    const segments = [...snapshot.segments].flatMap(([index, bytes]) => [index, asBuffer(bytes)]);
    const bytes = await writeSnapshot.run(
      this.redis,
      [this.keys.snapshot(tenant, runId)],
      [
        snapshot.fence,
        snapshot.generation ?? 0,
        snapshot.ttlSeconds * 1000,
        asBuffer(snapshot.head),
        ...segments,
      ],
    );
    return bytes === -1 ? null : Number(bytes);
  }

  async read(tenant: TenantId, runId: RunId): Promise<SnapshotFields | null> {
    const { head, ...fields } = await this.redis.hgetallBuffer(this.keys.snapshot(tenant, runId));
    if (!head) return null;
    const segments = new Map<number, Uint8Array>();
    for (const [name, bytes] of Object.entries(fields)) {
      const index = SEGMENT.exec(name)?.[1];
      if (index !== undefined) segments.set(Number(index), bytes);
    }
    return { head, segments };
  }

  async keepFor(tenant: TenantId, runId: RunId, ttlSeconds: number): Promise<void> {
    await this.redis.pexpire(this.keys.snapshot(tenant, runId), ttlSeconds * 1000);
  }
}

/** The same memory, seen as what the Redis client takes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
