import type { RunId, TenantId } from '@plinth/protocol';
import type { EngineObserver } from '../observer.js';
import type { RunState } from '../runs/run.js';
import { joinSnapshot, sealedTurnCount, splitSnapshot } from './run-snapshot.js';
import type { SnapshotCodec } from './snapshot-codec.js';
import type { SnapshotStore } from './snapshot-store.js';

/** Writes and reads snapshots of runs: format, codec and store behind one name. */
export class Snapshots {
  constructor(
    private readonly store: SnapshotStore,
    private readonly codec: SnapshotCodec,
    private readonly observer: EngineObserver,
  ) {}

  /**
   * Writes the head and the segments from `fromSegment` on, and returns the number of the next segment. A
   * failure is reported and swallowed: the snapshot is a cache, and the run is in the ledger already.
   */
  async write(tenant: TenantId, state: RunState, fromSegment: number, ttlSeconds: number): Promise<number> {
    const began = performance.now();
    try {
      const { head, segments } = splitSnapshot(state, fromSegment);
      const encoded = new Map<number, Uint8Array>();
      for (const [number, text] of segments) encoded.set(number, await this.codec.encode(text));
      const encodedHead = await this.codec.encode(head);
      const encodeMs = performance.now() - began;
      const written = await this.store.write(tenant, state.run.id, {
        head: encodedHead,
        segments: encoded,
        fence: state.run.fence,
        ttlSeconds,
      });
      if (!written) return fromSegment;
      const rawBytes = [head, ...segments.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const storedBytes = [encodedHead, ...encoded.values()].reduce(
        (sum, bytes) => sum + bytes.byteLength,
        0,
      );
      this.observer.snapshotWritten(tenant, { rawBytes, storedBytes, encodeMs });
      return sealedTurnCount(state) + 1;
    } catch (error) {
      this.observer.problem(tenant, { runId: state.run.id, doing: 'write the snapshot' }, error);
      return fromSegment;
    }
  }

  /** Null when there is no usable snapshot, whatever the cause: the run is rebuilt from the ledger. */
  async read(tenant: TenantId, runId: RunId): Promise<RunState | null> {
    const began = performance.now();
    try {
      const fields = await this.store.read(tenant, runId);
      if (!fields) {
        this.observer.snapshotRead(tenant, 'absent', 0);
        return null;
      }
      const head = await this.codec.decode(fields.head);
      const segments = new Map<number, string>();
      for (const [number, bytes] of fields.segments) {
        const decoded = await this.codec.decode(bytes);
        if (decoded.ok) segments.set(number, decoded.text);
      }
      const state = head.ok ? joinSnapshot(head.text, segments) : null;
      this.observer.snapshotRead(tenant, state ? 'hit' : 'corrupt', performance.now() - began);
      return state;
    } catch (error) {
      this.observer.problem(tenant, { runId, doing: 'read the snapshot' }, error);
      this.observer.snapshotRead(tenant, 'corrupt', performance.now() - began);
      return null;
    }
  }

  async keepFor(tenant: TenantId, runId: RunId, ttlSeconds: number): Promise<void> {
    try {
      await this.store.keepFor(tenant, runId, ttlSeconds);
    } catch (error) {
      this.observer.problem(tenant, { runId, doing: 'change the life of the snapshot' }, error);
    }
  }
}
