import type { TenantId } from '@plinth/protocol';
import type { OutboxEntry, StreamRef } from '../runs/ledger.js';

/** How far an event log has been written: entries `1..tail` of `epoch` are known to stand in it. */
export interface StreamPosition {
  epoch: number;
  /** 0: nothing of this epoch is known to have been written. */
  tail: number;
}

/**
 * Where every log starts: before entry `1-1`. Whoever created the stream writes that entry, or nobody does, so
 * a reader without a cursor can tell a whole log from one whose beginning was lost.
 */
export const LOG_START: Readonly<StreamPosition> = { epoch: 1, tail: 0 };

export type DeltaOutcome =
  | 'appended'
  /** Another worker holds the run: stop at once. */
  | 'fenced'
  /**
   * The log had lost entries, or another writer found that it had, and a new epoch has begun. The delta was
   * NOT appended: write again all that the turn has streamed so far, from its start.
   */
  | 'epoch_raised';

/**
 * What writes events to their logs. Durable events come from the outbox, where the transaction that they
 * announce put them; deltas go straight to the log. It knows each log's position and raises the epoch when
 * a log has lost entries, so that no number is used twice.
 */
export interface EventWriter {
  /**
   * Publishes events that a transaction has just committed, with those of their streams that stand before them.
   * Returns when they are in their logs. That they are is recorded a little later: publishing one again adds nothing.
   *
   * `begins`: streams that the transaction created. Name one in one call only, ever: who does so writes its first
   * entry, and a second first entry would bear the same number.
   */
  publish(tenant: TenantId, entries: readonly OutboxEntry[], begins?: readonly StreamRef[]): Promise<void>;
  /**
   * Publishes the committed events of the stream, in the order of their commits. Call it before a delta that
   * must stand after them. Returns the position's seq after the last published one; null when nothing was pending.
   */
  drain(tenant: TenantId, stream: StreamRef): Promise<string | null>;
  /** Appends one event that is in no transaction (delta, progress). It is lost with the log, and may be. */
  delta(tenant: TenantId, stream: StreamRef, fence: number, payload: string): Promise<DeltaOutcome>;
  /**
   * The position as this process last saw it; null when it wrote nothing to the stream lately. A lower bound
   * to be recorded in the ledger with the next change of the run.
   */
  position(tenant: TenantId, stream: StreamRef): StreamPosition | null;
}
