import type { TenantId } from '@plinth/protocol';
import type { StreamRef } from '../runs/ledger.js';
import type { StreamPosition } from './event-writer.js';

export interface LogEntry {
  /** `<epoch>-<n>` */
  seq: string;
  payload: string;
}

export type AppendOutcome =
  | { kind: 'appended'; seq: string }
  /** An entry with this event id stands in the log already. `tail` is the log's last entry. */
  | { kind: 'duplicate'; tail: string }
  /** A newer fence has been set: the writer has lost the run and must stop. */
  | { kind: 'fenced' }
  /**
   * The log is gone, has not come to `expect`, or may have lost entries that were given out. The writer raises the epoch.
   */
  | { kind: 'tail_lost' }
  /** The log is in a newer epoch than `expect`: another writer found a loss. `tail` is the log's last entry. */
  | { kind: 'behind'; tail: string };

/**
 * The right to write the first entry of an epoch. The ledger gives it to one writer: to the one that raised the epoch,
 * and for the first epoch to the one that created the stream. It is good for one append, sent once: a writer that does
 * not know what became of it raises the epoch again.
 */
export interface Beginning {
  /** The run's fence when the ledger gave the right, 0 for a thread: from now on entries with a smaller one are refused. */
  fence: number;
}

/**
 * The event logs (Redis streams). One entry one number, without gap, for ever growing, and no number is given to two
 * entries: an epoch belongs to one history of the store's data. When data comes back older than it was, or on another
 * server, another history begins, and nothing more is appended to the epochs of the one before.
 */
export interface EventLog {
  /**
   * Appends one entry atomically, at the next number of `expect.epoch`. `expect` is the position that the
   * writer knows to have been reached; the log may be further in that epoch, never behind. The log must stand in that
   * epoch already, unless `begins`.
   * `eventId` null: not de-duplicated (deltas). `fence` null: not fenced (events of a committed outbox).
   */
  append(
    tenant: TenantId,
    stream: StreamRef,
    entry: {
      payload: string;
      eventId: string | null;
      fence: number | null;
      expect: StreamPosition;
      begins?: Beginning | undefined;
      ttlSeconds: number;
    },
  ): Promise<AppendOutcome>;
  /**
   * Appends several entries as one: those that do not stand in the log already, in their order, or none of them. The
   * outcome is that of the last; `duplicate` when all stand there.
   */
  appendAll(
    tenant: TenantId,
    stream: StreamRef,
    batch: {
      entries: readonly { payload: string; eventId: string | null }[];
      fence: number | null;
      expect: StreamPosition;
      begins?: Beginning | undefined;
      ttlSeconds: number;
    },
  ): Promise<AppendOutcome>;
  /** From now on entries with a smaller fence are refused. */
  setFence(tenant: TenantId, stream: StreamRef, fence: number, ttlSeconds: number): Promise<void>;
  /** Changes how long the log is kept, e.g. after the end of the run. */
  keepFor(tenant: TenantId, stream: StreamRef, ttlSeconds: number): Promise<void>;
}
