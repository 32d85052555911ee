import type { TenantId } from '@plinth/protocol';
import { aCall, aRun, aTurn, MemorySnapshotStore, RecordingObserver } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { NO_CUT } from '../context/context-cut.js';
import type { RunState } from '../runs/run.js';
import { ZlibSnapshotCodec } from './snapshot-codec-zlib.js';
import { Snapshots } from './snapshots.js';

const TENANT = 'ten_1' as TenantId;
const run = aRun({ fence: 2 });

function stateOf(turns: number): RunState {
  return {
    run,
    history: ['{"role":"user","content":"go"}'],
    inheritedCut: NO_CUT,
    turns: Array.from({ length: turns }, (_, index) => aTurn({ index })),
    calls: Array.from({ length: turns }, (_, turnIndex) =>
      aCall({ turnIndex, status: turnIndex === turns - 1 ? 'started' : 'succeeded' }),
    ),
    interrupts: [],
    artifacts: [],
  };
}

function setup() {
  const store = new MemorySnapshotStore();
  const observer = new RecordingObserver();
  return { store, observer, snapshots: new Snapshots(store, new ZlibSnapshotCodec(), observer) };
}

const LIMITS = { ttlSeconds: 60, alarmBytes: 1_000_000 };

describe('snapshots', () => {
  it('are read as they were written, and say which segment comes next', async () => {
    const { snapshots, observer } = setup();
    expect(await snapshots.write(TENANT, stateOf(1), 0, LIMITS)).toBe(1);
    const three = stateOf(3);
    expect(await snapshots.write(TENANT, three, 1, LIMITS)).toBe(3);
    const read = await snapshots.read(TENANT, run.id);
    expect(read.outcome).toBe('hit');
    expect(read.state).toMatchObject({
      turns: [{ index: 0 }, { index: 1 }, { index: 2 }],
    });
    expect(observer.writes).toHaveLength(2);
  });

  it('that are not there, broken, or half there are misses with a reason, never an error', async () => {
    const { snapshots, store } = setup();
    expect(await snapshots.read(TENANT, run.id)).toMatchObject({ outcome: 'absent', state: null });
    await snapshots.write(TENANT, stateOf(2), 0, LIMITS);
    const fields = await store.read(TENANT, run.id);
    if (!fields) throw new Error('nothing was written');
    fields.head[fields.head.length - 1] = (fields.head.at(-1) ?? 0) ^ 1;
    expect(await snapshots.read(TENANT, run.id)).toMatchObject({ outcome: 'corrupt', state: null });
    store.clear();
    await snapshots.write(TENANT, stateOf(3), 2, LIMITS);
    expect(await snapshots.read(TENANT, run.id)).toMatchObject({ outcome: 'corrupt', state: null });
  });

  it('of a worker that was overtaken are not written, and its segments are not counted as stored', async () => {
    const { snapshots, observer } = setup();
    await snapshots.write(TENANT, { ...stateOf(2), run: { ...run, fence: 5 } }, 0, LIMITS);
    expect(await snapshots.write(TENANT, stateOf(3), 0, LIMITS)).toBe(0);
    expect((await snapshots.read(TENANT, run.id)).state?.run.fence).toBe(5);
    expect(observer.writes).toHaveLength(1);
  });

  it('one that has grown beyond the alarm is written all the same, and told of', async () => {
    const { snapshots, observer } = setup();
    const limits = { ttlSeconds: 60, alarmBytes: 10 };
    expect(await snapshots.write(TENANT, stateOf(1), 0, limits)).toBe(1);
    expect(observer.alarms).toEqual([{ runId: run.id, bytes: expect.any(Number), alarmBytes: 10 }]);
    expect((await snapshots.read(TENANT, run.id)).outcome).toBe('hit');
    await snapshots.write(TENANT, stateOf(2), 1, LIMITS);
    expect(observer.alarms).toHaveLength(1);
  });

  it('a store that is away is reported, and the run goes on', async () => {
    const { snapshots, store, observer } = setup();
    const away = async () => {
      throw new Error('Redis is away');
    };
    Object.assign(store, { write: away, read: away, keepFor: away });
    expect(await snapshots.write(TENANT, stateOf(1), 0, LIMITS)).toBe(0);
    expect((await snapshots.read(TENANT, run.id)).state).toBeNull();
    await snapshots.keepFor(TENANT, run.id, 60);
    expect(observer.problems.map(({ doing }) => doing)).toEqual([
      'write the snapshot',
      'read the snapshot',
      'change the life of the snapshot',
    ]);
  });
});
