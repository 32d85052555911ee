import type { RunState } from '@plinth/engine';
import { describe, expect, test } from 'vitest';
import { aCall, aTurn } from '../builders.js';
import type { Scene } from '../scene.js';

export function leaseRules(scene: () => Scene): void {
  describe('a lease', () => {
    test('two workers claiming one run: exactly one gets it', async () => {
      const s = scene();
      const { id } = await s.queuedRun();
      const claims = await Promise.all(Array.from({ length: 8 }, () => s.claim(id)));
      const got = claims.filter((claim) => claim !== null);
      expect(got).toHaveLength(1);
      expect(got[0]).toMatchObject({ recovered: false, run: { status: 'running', fence: 1 } });
    });

    test('claimed for the first time brings the conversation before the run; later it does not', async () => {
      const s = scene();
      const { id } = await s.queuedRun();
      const first = await s.claim(id);
      const state = await s.ledger.loadRun(s.tenant, id);
      const { history, inheritedCut } = { ...(state as RunState) };
      expect(first).toMatchObject({ fromTurn: 0, conversation: { history, inheritedCut } });
      s.clock.advance(60_000);
      expect((await s.claim(id))?.conversation).toBeNull();
    });

    test('brings the rows from the first turn on that has a call without a result', async () => {
      const s = scene();
      const run = await s.runningRun();
      const settled = aCall({
        turnIndex: 0,
        status: 'succeeded',
        resultText: '1',
        finishedAt: s.clock.now(),
      });
      const open = aCall({ turnIndex: 1 });
      await s.write(run, [
        { type: 'turn.append', turn: aTurn({ index: 0 }) },
        { type: 'call.create', call: settled },
        { type: 'turn.append', turn: aTurn({ index: 1 }) },
        { type: 'call.create', call: open },
        { type: 'run.update', set: { leaseUntil: null } },
      ]);
      const claim = await s.claim(run.id);
      expect(claim?.fromTurn).toBe(1);
      expect(claim?.tail).toEqual(await s.ledger.loadTail(s.tenant, run.id, 1));
      await s.write(run, [
        {
          type: 'call.update',
          callId: open.id,
          set: { status: 'failed', resultText: '2', finishedAt: s.clock.now() },
        },
        { type: 'run.update', set: { leaseUntil: null } },
      ]);
      const next = await s.claim(run.id);
      expect(next).toMatchObject({ fromTurn: 2, tail: { turns: [], calls: [] } });
    });

    test('that has ended is taken over, with a larger fence', async () => {
      const s = scene();
      const run = await s.runningRun();
      expect(await s.claim(run.id)).toBeNull();
      s.clock.advance(60_000);
      const taken = await s.claim(run.id);
      expect(taken).toMatchObject({ recovered: true, run: { status: 'running', fence: run.fence + 1 } });
      expect((await s.ledger.loadRun(s.tenant, run.id))?.run).toEqual(taken?.run);
    });

    test('cannot be taken of a run that is parked, has ended, or does not exist', async () => {
      const s = scene();
      const { run: parked } = await s.parkedRun();
      const ended = await s.runningRun();
      await s.end(ended);
      s.clock.advance(600_000);
      expect(await s.claim(parked.id)).toBeNull();
      expect(await s.claim(ended.id)).toBeNull();
      expect(await s.claim(s.newRun().runId)).toBeNull();
    });

    test('is extended by its holder, who learns of a wish to cancel', async () => {
      const s = scene();
      const run = await s.runningRun();
      const until = s.clock.now() + 120_000;
      expect(await s.ledger.renewLease(s.tenant, run.id, run.fence, until)).toEqual({
        held: true,
        cancelRequested: false,
      });
      expect((await s.ledger.loadRun(s.tenant, run.id))?.run.leaseUntil).toBe(until);
      await s.write(run, [{ type: 'run.update', set: { cancelRequestedAt: s.clock.now() } }]);
      expect(await s.ledger.renewLease(s.tenant, run.id, run.fence, until)).toEqual({
        held: true,
        cancelRequested: true,
      });
    });

    test('is lost to a newer fence, and with the end of the run', async () => {
      const s = scene();
      const run = await s.runningRun();
      s.clock.advance(60_000);
      await s.claim(run.id);
      const lost = { held: false, cancelRequested: false };
      expect(await s.ledger.renewLease(s.tenant, run.id, run.fence, s.clock.now() + 60_000)).toEqual(lost);
      await s.end(run, 'cancelled');
      expect(await s.ledger.renewLease(s.tenant, run.id, run.fence + 1, s.clock.now() + 60_000)).toEqual(
        lost,
      );
    });
  });
}
