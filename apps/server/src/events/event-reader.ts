import type { LogEntry, StreamRef } from '@plinth/engine';
import { formatSeq, type Seq, type TenantId } from '@plinth/protocol';
import type { Redis } from 'ioredis';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { PAYLOAD_FIELD } from './redis-event-log.js';

/** Reads what stands in the logs. */
export class EventReader {
  constructor(
    private readonly redis: Redis,
    private readonly keys: RedisKeys,
  ) {}

  /** At most `limit` entries behind `after`, in order; null reads from the first that is there. */
  async read(tenant: TenantId, stream: StreamRef, after: Seq | null, limit: number): Promise<LogEntry[]> {
    const from = after === null ? '-' : `(${formatSeq(after)}`;
    return entriesOf(
      await this.redis.xrange(this.keys.log(tenant, stream).entries, from, '+', 'COUNT', limit),
    );
  }

  /** The oldest entry that is there; null when the log is empty or gone. */
  async first(tenant: TenantId, stream: StreamRef): Promise<LogEntry | null> {
    return (await this.read(tenant, stream, null, 1))[0] ?? null;
  }

  /** The newest entry; null when the log is empty or gone. */
  async tail(tenant: TenantId, stream: StreamRef): Promise<LogEntry | null> {
    const newest = await this.redis.xrevrange(this.keys.log(tenant, stream).entries, '+', '-', 'COUNT', 1);
    return entriesOf(newest)[0] ?? null;
  }
}

function entriesOf(rows: readonly [id: string, fields: string[]][]): LogEntry[] {
  return rows.map(([seq, fields]) => ({ seq, payload: fields[fields.indexOf(PAYLOAD_FIELD) + 1] ?? '' }));
}
