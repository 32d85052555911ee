import type { LogEntry, StreamRef } from '@plinth/engine';
import type { Seq, TenantId } from '@plinth/protocol';

/**
 * What a reader gets: an entry of the log, several of them as one, or the announcement of a hole, or the state after it.
 */
export type FeedEntry = LogEntry & { kind: 'entry' | 'folded' | 'gap' | 'snapshot' };

/**
 * Why a feed ended. `ended`: the terminal event was given. `aborted`: the signal. `slow`: the reader did not
 * keep up; it comes back with the seq of the last entry that it got.
 */
export type FeedEnd = 'ended' | 'aborted' | 'slow';

export interface FeedRequest {
  tenant: TenantId;
  stream: StreamRef;
  /** The last entry that the reader has; null for none. Any value is safe: a wrong one leads to a gap. */
  after: Seq | null;
  /** Pieces of texts that are finished come as one entry. Default: as they stand in the log. */
  fold?: boolean;
  /** Ends the feed, also while it waits. Whoever drops the iterator early must abort it. */
  signal: AbortSignal;
  /** Whether this is the last one. Asked for entries and for snapshots. */
  isEnd(entry: FeedEntry): boolean;
  /**
   * The state as it is now, from the ledger, as the JSON text of a `SnapshotEvent`. `seq` is a place that the
   * log is known to have reached (`<epoch>-<tail>` of the ledger). Null when there is no state to show: the
   * reader then gets the gap alone.
   */
  rebuild(): Promise<{ seq: string; payload: string } | null>;
  /** Called in the moment in which a slow reader is cut, so that whoever waits for it can stop waiting. */
  onSlow?(): void;
}
