import type { RunId, TenantId } from '@plinth/protocol';
import type { EngineObserver } from '../observer.js';
import type { RunState } from '../runs/run.js';
import { joinSnapshot, sealedTurnCount, splitSnapshot } from './run-snapshot.js';
import type { SnapshotCodec } from './snapshot-codec.js';
import type { SnapshotStore } from './snapshot-store.js';

export interface SnapshotRead {
  outcome: 'hit' | 'absent' | 'corrupt';
  state: RunState | null;
  /** Milliseconds for reading and decoding. */
  decodeMs: number;
}

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
  async write(
    tenant: TenantId,
    state: RunState,
    fromSegment: number,
    { ttlSeconds, alarmBytes }: { ttlSeconds: number; alarmBytes: number },
  ): Promise<number> {
    const began = performance.now();
    try {
      const { head, segments } = splitSnapshot(state, fromSegment);
      const encoded = new Map<number, Uint8Array>();
      for (const [number, text] of segments) encoded.set(number, await this.codec.encode(text));
      const encodedHead = await this.codec.encode(head);
      const encodeMs = performance.now() - began;
      const wholeBytes = await this.store.write(tenant, state.run.id, {
        head: encodedHead,
        segments: encoded,
        fence: state.run.fence,
        ttlSeconds,
      });
      if (wholeBytes === null) return fromSegment;
      const rawBytes = [head, ...segments.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const storedBytes = [encodedHead, ...encoded.values()].reduce(
        (sum, bytes) => sum + bytes.byteLength,
        0,
      );
      this.observer.snapshotWritten(tenant, { rawBytes, storedBytes, encodeMs });
      if (wholeBytes > alarmBytes)
        this.observer.snapshotTooLarge(tenant, { runId: state.run.id, bytes: wholeBytes, alarmBytes });
      return sealedTurnCount(state) + 1;
    } catch (error) {
      this.observer.problem(tenant, { runId: state.run.id, doing: 'write the snapshot' }, error);
      return fromSegment;
    }
  }

  /** Never rejects: without a usable snapshot, whatever the cause, the run is rebuilt from the ledger. */
  async read(tenant: TenantId, runId: RunId): Promise<SnapshotRead> {
    const began = performance.now();
    try {
      const fields = await this.store.read(tenant, runId);
      if (!fields) return { outcome: 'absent', state: null, decodeMs: 0 };
      const head = await this.codec.decode(fields.head);
      const segments = new Map<number, string>();
      for (const [number, bytes] of fields.segments) {
        const decoded = await this.codec.decode(bytes);
        if (decoded.ok) segments.set(number, decoded.text);
      }
      const state = head.ok ? joinSnapshot(head.text, segments) : null;
      return { outcome: state ? 'hit' : 'corrupt', state, decodeMs: performance.now() - began };
    } catch (error) {
      this.observer.problem(tenant, { runId, doing: 'read the snapshot' }, error);
      return { outcome: 'corrupt', state: null, decodeMs: performance.now() - began };
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
