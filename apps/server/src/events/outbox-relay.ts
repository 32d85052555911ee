import type { EventLog, EventOutbox, OutboxEntry, StreamRef } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { LogPositions } from './log-positions.js';
import type { PublishedMarks } from './published-marks.js';

/** Two are normal after a loss; each other writer that finds the same loss at the same time may add two. */
const MAX_ATTEMPTS = 8;

export interface OutboxRelayParts {
  outbox: EventOutbox;
  log: EventLog;
  positions: LogPositions;
  marks: PublishedMarks;
  /** How long the tenant keeps the log of an active run. */
  ttlSeconds(tenant: TenantId): Promise<number>;
}

/**
 * Takes committed events to their logs, each stream in the order of its commits. Several processes may do this to
 * one stream at once: each starts with the first unpublished event, and appending one a second time adds nothing,
 * so the order holds.
 */
export class OutboxRelay {
  /** The last work on each stream: within a process a stream is written by one at a time. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: OutboxRelayParts) {}

  /**
   * Reads what is pending and publishes it. Returns, when it stands in the log, the seq that the log has then
   * reached, or null when nothing was pending.
   */
  drain(tenant: TenantId, stream: StreamRef): Promise<string | null> {
    return this.#inTurn(tenant, stream, async () =>
      this.#append(tenant, stream, await this.parts.outbox.pending(tenant, stream)),
    );
  }

  /** Publishes entries that were read in the transaction that committed them, and created the streams of `begins`. */
  async publish(
    tenant: TenantId,
    entries: readonly OutboxEntry[],
    begins: readonly StreamRef[],
  ): Promise<void> {
    for (const stream of begins) this.parts.positions.created(tenant, stream);
    const byStream = new Map<string, OutboxEntry[]>();
    for (const entry of entries) {
      const key = keyOf(tenant, entry.stream);
      byStream.set(key, [...(byStream.get(key) ?? []), entry]);
    }
    for (const [first, ...rest] of byStream.values()) {
      if (first)
        await this.#inTurn(tenant, first.stream, () => this.#append(tenant, first.stream, [first, ...rest]));
    }
  }

  #inTurn<T>(tenant: TenantId, stream: StreamRef, work: () => Promise<T>): Promise<T> {
    const key = keyOf(tenant, stream);
    const before = this.#turns.get(key);
    const done = before === undefined ? work() : before.then(work, work);
    this.#turns.set(key, done);
    const forget = () => {
      if (this.#turns.get(key) === done) this.#turns.delete(key);
    };
    done.then(forget, forget);
    return done;
  }

  async #append(
    tenant: TenantId,
    stream: StreamRef,
    entries: readonly OutboxEntry[],
  ): Promise<string | null> {
    const { marks, ttlSeconds } = this.parts;
    const unknown = entries.filter(({ id }) => !marks.has(id));
    if (unknown.length === 0) return null;
    const reached = await this.#appendNew(tenant, stream, unknown, await ttlSeconds(tenant));
    marks.add(
      tenant,
      unknown.map(({ id }) => id),
    );
    return reached;
  }

  async #appendNew(
    tenant: TenantId,
    stream: StreamRef,
    entries: readonly OutboxEntry[],
    ttlSeconds: number,
  ): Promise<string> {
    const { log, positions } = this.parts;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const expect = await positions.current(tenant, stream);
      // Not fenced: they are committed, so they are true whoever holds the run now.
      const begins = positions.takeBeginning(tenant, stream, expect.epoch);
      const batch = { entries, fence: null, expect, begins, ttlSeconds };
      const outcome = await log.appendAll(tenant, stream, batch);
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
          throw new Error(`the log of ${stream.id} refused events by a fence, although they carry none`);
      }
    }
    throw new Error(`the log of ${stream.id} lost its tail ${MAX_ATTEMPTS} times in a row`);
  }
}

const keyOf = (tenant: TenantId, { kind, id }: StreamRef): string => `${tenant} ${kind} ${id}`;
