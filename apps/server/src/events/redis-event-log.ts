import type { AppendOutcome, EventLog, StreamRef } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { unlessCut } from '../platform/redis/unless-cut.js';
import { appendEvents } from './append-events-3.lua.js';
import { setFence } from './set-fence-1.lua.js';

export interface EventLogLimits {
  /** Entries that a log keeps; older ones are trimmed. A reader that wants them gets a snapshot instead. */
  maxEntries: number;
  /** `approximate` lets Redis trim whole blocks of about a hundred entries, which costs less. */
  trim: 'approximate' | 'exact';
  /** Event ids that a log remembers. A repeated append comes soon after the first, or never. */
  maxSeenIds: number;
}

export const DEFAULT_LOG_LIMITS: EventLogLimits = {
  maxEntries: 10_000,
  trim: 'approximate',
  maxSeenIds: 2_000,
};

/** The field of a stream entry that holds the payload. */
export const PAYLOAD_FIELD = 'p';

const reply = z.tuple([z.enum(['appended', 'duplicate', 'fenced', 'tail_lost', 'behind']), z.string()]);

/** The event logs as Redis streams. Every append is one script, so it happens whole or not at all. */
export class RedisEventLog implements EventLog {
  readonly #limits: EventLogLimits;

  /**
   * @param beginnings sends what begins an epoch. It must never send a command a second time by itself, as a connection
   *   does that was cut: the right to begin is good for one append
   */
  constructor(
    private readonly redis: Redis,
    private readonly beginnings: Redis,
    private readonly keys: RedisKeys,
    limits: Partial<EventLogLimits> = {},
  ) {
    this.#limits = { ...DEFAULT_LOG_LIMITS, ...limits };
  }

  append(
    tenant: TenantId,
    stream: StreamRef,
    { payload, eventId, ...as }: Parameters<EventLog['append']>[2],
  ): Promise<AppendOutcome> {
    return this.appendAll(tenant, stream, { ...as, entries: [{ payload, eventId }] });
  }

  async appendAll(
    tenant: TenantId,
    stream: StreamRef,
    { entries, fence, expect, begins, ttlSeconds }: Parameters<EventLog['appendAll']>[2],
  ): Promise<AppendOutcome> {
    const keys = this.keys.log(tenant, stream);
    const { maxEntries, trim, maxSeenIds } = this.#limits;
    const args = [
      keys.channel,
      fence ?? '',
      expect.epoch,
      expect.tail,
      begins?.fence ?? '',
      ttlSeconds * 1000,
      maxEntries,
      trim === 'exact' ? '=' : '~',
      maxSeenIds,
      ...entries.flatMap(({ eventId, payload }) => [eventId ?? '', payload]),
    ];
    const send = (redis: Redis) => appendEvents.run(redis, [keys.entries, keys.head, keys.seen], args);
    const answer = await (begins ? unlessCut(this.beginnings, send(this.beginnings)) : send(this.redis));
    const [kind, seq] = reply.parse(answer);
    switch (kind) {
      case 'appended':
        return { kind, seq };
      case 'duplicate':
      case 'behind':
        return { kind, tail: seq };
      case 'fenced':
      case 'tail_lost':
        return { kind };
    }
  }

  async setFence(tenant: TenantId, stream: StreamRef, fence: number, ttlSeconds: number): Promise<void> {
    await setFence.run(this.redis, [this.keys.log(tenant, stream).head], [fence, ttlSeconds * 1000]);
  }

  async keepFor(tenant: TenantId, stream: StreamRef, ttlSeconds: number): Promise<void> {
    const { entries, head, seen } = this.keys.log(tenant, stream);
    const replies = await this.redis
      .pipeline()
      .pexpire(entries, ttlSeconds * 1000)
      .pexpire(seen, ttlSeconds * 1000)
      .pexpire(head, ttlSeconds * 1000)
      .exec();
    const failed = replies?.find(([error]) => error !== null);
    if (failed?.[0]) throw failed[0];
  }
}
