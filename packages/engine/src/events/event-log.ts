import type { TenantId } from '@plinth/protocol';
import type { StreamRef } from '../runs/ledger.js';

export interface LogEntry {
  /** `<epoch>-<n>` */
  seq: string;
  payload: string;
}

export type AppendOutcome =
  | { kind: 'appended'; seq: string }
  /** An entry with this event id stands in the log already. */
  | { kind: 'duplicate' }
  /** A newer fence has been set: the writer has lost the run and must stop. */
  | { kind: 'fenced' }
  /** The log's tail is not at or behind `expect`: entries were lost. The writer raises the epoch. */
  | { kind: 'tail_lost' };

/** The event logs (Redis streams). One entry one number, without gap, for ever growing. */
export interface EventLog {
  /**
   * Appends one entry atomically. `expect` is the position that the writer knows to have been reached.
   * `eventId` null: not de-duplicated (deltas). `fence` null: not fenced (events of a committed outbox).
   */
  append(
    tenant: TenantId,
    stream: StreamRef,
    entry: { payload: string; eventId: string | null; fence: number | null; expect: { epoch: number; tail: number }; ttlSeconds: number },
  ): Promise<AppendOutcome>;
  /** From now on entries with a smaller fence are refused. */
  setFence(tenant: TenantId, stream: StreamRef, fence: number, ttlSeconds: number): Promise<void>;
  /** Changes how long the log is kept, e.g. after the end of the run. */
  keepFor(tenant: TenantId, stream: StreamRef, ttlSeconds: number): Promise<void>;
}
