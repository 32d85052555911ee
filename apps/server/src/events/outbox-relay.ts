import type { EventLog, EventOutbox, OutboxEntry, StreamRef } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { LogPositions } from './log-positions.js';

/** One repair is normal after a loss, two when another writer repairs as well. */
const MAX_ATTEMPTS = 5;

interface Drain {
  running: Promise<string | null>;
  /** Shared by all who asked while `running` was under way: it may have read the outbox before their commit. */
  next: Promise<string | null> | null;
}

export interface OutboxRelayParts {
  outbox: EventOutbox;
  log: EventLog;
  positions: LogPositions;
  /** How long the tenant keeps the log of an active run. */
  ttlSeconds(tenant: TenantId): Promise<number>;
}

/**
 * Takes committed events from the outbox to their logs, each stream in the order of its commits. Several
 * processes may do this to one stream at once: each starts with the first unpublished event, and appending
 * one a second time adds nothing, so the order holds.
 */
export class OutboxRelay {
  readonly #drains = new Map<string, Drain>();

  constructor(private readonly parts: OutboxRelayParts) {}

  /**
   * Publishes what is pending when it is called, and returns when it stands in the log: the seq that the log
   * has then reached, or null when nothing was pending.
   */
  drain(tenant: TenantId, stream: StreamRef): Promise<string | null> {
    const key = `${tenant} ${stream.kind} ${stream.id}`;
    const active = this.#drains.get(key);
    if (!active) return this.#start(key, tenant, stream);
    const again = () => this.#start(key, tenant, stream);
    active.next ??= active.running.then(again, again);
    return active.next;
  }

  #start(key: string, tenant: TenantId, stream: StreamRef): Promise<string | null> {
    const drain: Drain = { running: this.#publishPending(tenant, stream), next: null };
    this.#drains.set(key, drain);
    const forget = () => {
      if (drain.next === null) this.#drains.delete(key);
    };
    drain.running.then(forget, forget);
    return drain.running;
  }

  async #publishPending(tenant: TenantId, stream: StreamRef): Promise<string | null> {
    const { outbox, ttlSeconds } = this.parts;
    const pending = await outbox.pending(tenant, stream);
    if (pending.length === 0) return null;
    const ttl = await ttlSeconds(tenant);
    let reached: string | null = null;
    for (const entry of pending) reached = await this.#publish(tenant, stream, entry, ttl);
    await outbox.markPublished(
      tenant,
      pending.map(({ id }) => id),
    );
    return reached;
  }

  async #publish(
    tenant: TenantId,
    stream: StreamRef,
    { eventId, payload }: OutboxEntry,
    ttlSeconds: number,
  ): Promise<string> {
    const { log, positions } = this.parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const expect = await positions.current(tenant, stream);
      // Not fenced: it is committed, so it is true whoever holds the run now.
      const outcome = await log.append(tenant, stream, { payload, eventId, fence: null, expect, ttlSeconds });
      switch (outcome.kind) {
        case 'appended':
          positions.reached(tenant, stream, outcome.seq);
          return outcome.seq;
        case 'duplicate':
          positions.reached(tenant, stream, outcome.tail);
          return outcome.tail;
        case 'tail_lost':
          await positions.raise(tenant, stream, expect);
          break;
        case 'behind':
          await positions.follow(tenant, stream, outcome.tail);
          break;
        case 'fenced':
          throw new Error(
            `the event log refused event ${eventId} by a fence, although it was appended without one`,
          );
      }
    }
    throw new Error(
      `event ${eventId} could not be appended: its log lost its tail ${MAX_ATTEMPTS} times in a row`,
    );
  }
}
