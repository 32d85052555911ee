import type { SnapshotStore } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const acme = 'ten_acme' as TenantId;
let runs = 0;
function aRunId(): RunId {
  runs += 1;
  return `run_suite${runs}` as RunId;
}
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** The rules of every `SnapshotStore`. */
export function describeSnapshotStore(
  name: string,
  open: () => Promise<{ store: SnapshotStore; close(): Promise<void> }>,
): void {
  describe(`snapshot store: ${name}`, () => {
    let store: SnapshotStore;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ store, close } = await open());
    });
    afterAll(() => close());

    const write = (
      runId: RunId,
      snapshot: Partial<Parameters<SnapshotStore['write']>[2]>,
    ): Promise<number | null> =>
      store.write(acme, runId, {
        head: bytes(1),
        segments: new Map(),
        fence: 1,
        ttlSeconds: 60,
        ...snapshot,
      });
    const read = async (runId: RunId) => {
      const fields = await store.read(acme, runId);
      if (!fields) return null;
      const segments = [...fields.segments].map(([index, field]) => [index, [...field]] as const);
      return { head: [...fields.head], segments: Object.fromEntries(segments) };
    };

    it('gives back the bytes that were written, whatever they are', async () => {
      const runId = aRunId();
      const every = Uint8Array.from({ length: 256 }, (_, value) => value);
      await write(runId, {
        head: every,
        segments: new Map([
          [0, every.subarray(10, 20)],
          [12, bytes()],
        ]),
      });
      expect(await read(runId)).toEqual({
        head: [...every],
        segments: { 0: [...every.subarray(10, 20)], 12: [] },
      });
    });

    it('a write replaces the head and adds its segments to those that are there', async () => {
      const runId = aRunId();
      await write(runId, { head: bytes(1), segments: new Map([[0, bytes(10)]]) });
      await write(runId, { head: bytes(2), segments: new Map([[1, bytes(11)]]) });
      expect(await read(runId)).toEqual({ head: [2], segments: { 0: [10], 1: [11] } });
    });

    it('a write says how large the whole has become', async () => {
      const runId = aRunId();
      expect(await write(runId, { head: bytes(1, 2), segments: new Map([[0, bytes(1, 2, 3)]]) })).toBe(5);
      expect(await write(runId, { head: bytes(1), segments: new Map([[1, bytes(4)]]) })).toBe(5);
      expect(await write(runId, { head: bytes(1), segments: new Map([[0, bytes(9)]]), generation: 1 })).toBe(
        2,
      );
    });

    it('a new generation starts without the segments of the one before', async () => {
      const runId = aRunId();
      await write(runId, {
        segments: new Map([
          [0, bytes(10)],
          [1, bytes(11)],
        ]),
      });
      await write(runId, { head: bytes(2), segments: new Map([[0, bytes(20)]]), generation: 1 });
      expect(await read(runId)).toEqual({ head: [2], segments: { 0: [20] } });
    });

    it('refuses a writer that lost the run, and changes nothing', async () => {
      const runId = aRunId();
      expect(await write(runId, { head: bytes(2), fence: 10 })).not.toBeNull();
      expect(
        await write(runId, { head: bytes(1), fence: 9, segments: new Map([[0, bytes(9)]]), generation: 1 }),
      ).toBeNull();
      expect(await read(runId)).toEqual({ head: [2], segments: {} });
      expect(await write(runId, { head: bytes(3), fence: 10 })).not.toBeNull();
    });

    it('has nothing for a run that was never written, or belongs to another tenant', async () => {
      const runId = aRunId();
      await write(runId, {});
      expect(await read(aRunId())).toBeNull();
      expect(await store.read('ten_other' as TenantId, runId)).toBeNull();
    });

    it('keeping a snapshot that is not there makes none', async () => {
      const runId = aRunId();
      await store.keepFor(acme, runId, 60);
      expect(await read(runId)).toBeNull();
    });
  });
}
