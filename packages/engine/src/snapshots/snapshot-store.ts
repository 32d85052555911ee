import type { RunId, TenantId } from '@plinth/protocol';

/** The stored fields of one snapshot: encoded bytes, as the codec made them. */
export interface SnapshotFields {
  head: Uint8Array;
  segments: ReadonlyMap<number, Uint8Array>;
}

/** The fast path of resume (one Redis hash a run). A cache: it may be gone at any time. */
export interface SnapshotStore {
  /**
   * Writes the head and the given segments (only new ones), and sets the time to live. Returns how many bytes the
   * whole snapshot holds now. Refused (null) when a snapshot with a larger fence is there: its writer has taken the
   * run over. Segments of another `generation` (default 0) than this one are dropped: the head does not count on them.
   */
  write(
    tenant: TenantId,
    runId: RunId,
    snapshot: SnapshotFields & { fence: number; ttlSeconds: number; generation?: number },
  ): Promise<number | null>;
  read(tenant: TenantId, runId: RunId): Promise<SnapshotFields | null>;
  /** Changes the time to live; nothing happens when there is no snapshot. */
  keepFor(tenant: TenantId, runId: RunId, ttlSeconds: number): Promise<void>;
}
