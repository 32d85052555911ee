import type { RunState } from '@plinth/engine';
import { describe, expect, test } from 'vitest';
import { aCall, anArtifact, anInterrupt, aTurn } from '../builders.js';
import { ALICE, BOB, EVERYBODY, type Scene } from '../scene.js';

export function readingRules(scene: () => Scene): void {
  describe('reading', () => {
    test('the tail of a run is its row, and the turns from one on with all that belongs to them', async () => {
      const s = scene();
      const run = await s.runningRun();
      const [first, second] = [aCall(), aCall({ turnIndex: 1 })];
      const [ofFirst, ofSecond] = [anInterrupt({ callId: first.id }), anInterrupt({ callId: second.id })];
      const made = { threadId: run.threadId, endUserId: run.endUserId, runId: run.id };
      const [poster, draft] = [
        anArtifact({ ...made, callId: second.id }),
        anArtifact({ ...made, callId: first.id }),
      ];
      await s.write(run, [
        { type: 'turn.append', turn: aTurn() },
        { type: 'turn.append', turn: aTurn({ index: 1 }) },
        ...[first, second].map((call) => ({ type: 'call.create' as const, call })),
        ...[ofFirst, ofSecond].map((interrupt) => ({ type: 'interrupt.open' as const, interrupt })),
        ...[poster, draft].map((artifact) => ({ type: 'artifact.create' as const, artifact })),
      ]);
      expect(await s.ledger.loadTail(s.tenant, run.id, 1)).toEqual({
        run,
        turns: [aTurn({ index: 1 })],
        calls: [second],
        interrupts: [ofSecond],
        artifacts: [poster],
      });
      expect(await s.ledger.loadTail(s.tenant, run.id, 2)).toEqual({
        run,
        turns: [],
        calls: [],
        interrupts: [],
        artifacts: [],
      });
      const state = await s.ledger.loadRun(s.tenant, run.id);
      const { history: _history, inheritedCut: _inheritedCut, ...whole } = { ...(state as RunState) };
      expect(await s.ledger.loadTail(s.tenant, run.id, 0)).toEqual(whole);
    });

    test('a run is found by those who may see it', async () => {
      const s = scene();
      const run = await s.queuedRun();
      expect(await s.ledger.findRun(s.tenant, { endUserId: ALICE }, run.id)).toEqual(run);
      expect(await s.ledger.findRun(s.tenant, EVERYBODY, run.id)).toEqual(run);
      expect(await s.ledger.findRun(s.tenant, { endUserId: BOB }, run.id)).toBeNull();
      expect(await s.ledger.findRun(await s.otherTenant(), EVERYBODY, run.id)).toBeNull();
    });

    test('records of several messages come together; unknown ones are left out', async () => {
      const s = scene();
      const [one, two] = [await s.queuedRun(), (await s.parkedRun()).run];
      const records = await s.ledger.loadRecords(s.tenant, EVERYBODY, [
        two.messageId,
        one.messageId,
        s.newRun().messageId,
      ]);
      expect(records.map(({ run }) => run.id).sort()).toEqual([one.id, two.id].sort());
      expect(records.find(({ run }) => run.id === two.id)?.interrupts).toHaveLength(1);
      expect(await s.ledger.loadRecords(s.tenant, EVERYBODY, [])).toEqual([]);
    });

    test('an interrupt is found with its call and its run', async () => {
      const s = scene();
      const { run, call, interrupt } = await s.parkedRun();
      const found = await s.ledger.findInterrupt(s.tenant, { endUserId: ALICE }, interrupt.id);
      expect(found).toMatchObject({ interrupt, call, run: { id: run.id, status: 'interrupted' } });
    });

    test('another end user sees nothing of a run', async () => {
      const s = scene();
      const { run, interrupt } = await s.parkedRun();
      expect(await s.ledger.loadRecords(s.tenant, { endUserId: BOB }, [run.messageId])).toEqual([]);
      expect(await s.ledger.findInterrupt(s.tenant, { endUserId: BOB }, interrupt.id)).toBeNull();
      expect(await s.ledger.loadRecords(s.tenant, { endUserId: ALICE }, [run.messageId])).toHaveLength(1);
    });

    test('another tenant sees nothing of a run', async () => {
      const s = scene();
      const { run, interrupt } = await s.parkedRun();
      const other = await s.otherTenant();
      expect(await s.ledger.loadRun(other, run.id)).toBeNull();
      expect(await s.ledger.loadTail(other, run.id, 0)).toBeNull();
      expect(await s.ledger.loadRecords(other, EVERYBODY, [run.messageId])).toEqual([]);
      expect(await s.ledger.findInterrupt(other, EVERYBODY, interrupt.id)).toBeNull();
      expect(
        await s.ledger.claimRun(other, run.id, {
          owner: 'worker',
          now: s.clock.now(),
          leaseUntil: s.clock.now() + 1,
        }),
      ).toBeNull();
      expect(await s.outbox.pending(other, { kind: 'message', id: run.messageId })).toEqual([]);
    });
  });
}
