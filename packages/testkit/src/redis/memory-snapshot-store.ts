import type { SnapshotFields, SnapshotStore } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';

interface Stored {
  fence: number;
  generation: number;
  head: Uint8Array;
  segments: Map<number, Uint8Array>;
}

/** Snapshots without Redis. It keeps every rule that `describeSnapshotStore` states; nothing expires. */
export class MemorySnapshotStore implements SnapshotStore {
  private readonly snapshots = new Map<string, Stored>();

  async write(
    tenant: TenantId,
    runId: RunId,
    snapshot: Parameters<SnapshotStore['write']>[2],
  ): Promise<number | null> {
    const { fence, generation = 0, head } = snapshot;
    const key = `${tenant} ${runId}`;
    const before = this.snapshots.get(key);
    if (before && before.fence > fence) return null;
    const kept = before?.generation === generation ? before.segments : [];
    const segments = new Map([...kept, ...snapshot.segments]);
    this.snapshots.set(key, { fence, generation, head, segments });
    return [head, ...segments.values()].reduce((sum, field) => sum + field.byteLength, 0);
  }

  async read(tenant: TenantId, runId: RunId): Promise<SnapshotFields | null> {
    const stored = this.snapshots.get(`${tenant} ${runId}`);
    return stored ? { head: stored.head, segments: new Map(stored.segments) } : null;
  }

  async keepFor(): Promise<void> {}

  /** As if the store had been flushed. */
  clear(): void {
    this.snapshots.clear();
  }
}
