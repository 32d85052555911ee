import { createHash } from 'node:crypto';
import type { RateLimitUse, StreamRef } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';

/**
 * The one place where names of Redis keys and channels are made.
 *
 *   plinth:{msg:<messageId>}:<tenant>:events     the log's entries (stream)
 *   plinth:{msg:<messageId>}:<tenant>:head       the smallest fence that may still append, and the history in which
 *                                                the log's epoch began (hash)
 *   plinth:{msg:<messageId>}:<tenant>:seen       event ids that stand in the log
 *   plinth:{msg:<messageId>}:<tenant>:live       channel of new entries
 *   plinth:{thr:<threadId>}:<tenant>:...         the same four for a thread's log
 *   plinth:{run:<runId>}:<tenant>:snapshot       the run's snapshot (hash)
 *   plinth:{tool:<key>}:<tenant>:rate:<who>:<max>/<seconds>   calls of a tool in its present window
 *   plinth:{cache:<tenant>}:<tenant>:results  kept results of tools (hash), and :ends when each ends (sorted set)
 *   plinth:nudge                                 channel: look at this run now (the message names the tenant)
 *   {plinth}:advance:...                         BullMQ's own keys (each job names the tenant)
 *   {plinth}:expiry:...                          the same, for what has its time
 *
 * The braces are the hash tag of Redis Cluster: what one script touches lies in one slot. The tenant stands
 * in every key, so that an id of another tenant, however it was obtained, names another key.
 */
export class RedisKeys {
  readonly nudgeChannel: string;
  /** The braces put all of BullMQ's keys into one slot: its scripts need that on a Cluster. */
  readonly queuePrefix: string;

  /** Another prefix keeps several platforms, or tests, apart on one Redis. */
  constructor(private readonly prefix = 'plinth') {
    this.nudgeChannel = `${prefix}:nudge`;
    this.queuePrefix = `{${prefix}}`;
  }

  log(tenant: TenantId, stream: StreamRef): { entries: string; head: string; seen: string; channel: string } {
    const base = this.#base(stream.kind === 'message' ? 'msg' : 'thr', stream.id, tenant);
    return {
      entries: `${base}:events`,
      head: `${base}:head`,
      seen: `${base}:seen`,
      channel: `${base}:live`,
    };
  }

  snapshot(tenant: TenantId, runId: RunId): string {
    return `${this.#base('run', runId, tenant)}:snapshot`;
  }

  /** An end user's id is the business's own and may hold anything: its digest stands for it. */
  rateLimit(tenant: TenantId, { tool, endUserId, max, perSeconds }: RateLimitUse): string {
    const who = endUserId === null ? 'all' : createHash('sha256').update(endUserId).digest('hex');
    return `${this.#base('tool', tool, tenant)}:rate:${who}:${max}/${perSeconds}`;
  }

  toolCache(tenant: TenantId): { results: string; ends: string } {
    const base = this.#base('cache', tenant, tenant);
    return { results: `${base}:results`, ends: `${base}:ends` };
  }

  #base(tag: 'msg' | 'thr' | 'run' | 'tool' | 'cache', id: string, tenant: TenantId): string {
    return `${this.prefix}:{${tag}:${plain(id)}}:${plain(tenant)}`;
  }
}

/** An id with a colon or a brace could name the key of another: such ids are never made, so it is a bug. */
function plain(id: string): string {
  if (!/^[\w.-]+$/.test(id)) throw new Error(`cannot build a Redis key from the id ${JSON.stringify(id)}`);
  return id;
}
