import { describe, expect, test } from 'vitest';
import { aCall, anInterrupt, aTurn } from '../builders.js';
import { messageStream, type Scene, threadStream } from '../scene.js';

const LIMIT = 10_000;

export function dueWorkRules(scene: () => Scene): void {
  /** Due work is read over all tenants; a test looks at its own. */
  const ofMine = <Work extends { tenant: string }>(work: readonly Work[]) =>
    work.filter(({ tenant }) => tenant === scene().tenant);

  describe('due work', () => {
    const dueRuns = async (queuedForMs: number) => {
      const now = scene().clock.now();
      const due = await scene().dueWork.dueRuns({ now, queuedBefore: now - queuedForMs, limit: LIMIT });
      return ofMine(due).map(({ runId }) => runId);
    };

    test('a run that has been queued for long is due, one that was queued just now is not', async () => {
      const s = scene();
      const run = await s.queuedRun();
      expect(await dueRuns(5_000)).toEqual([]);
      s.clock.advance(5_001);
      expect(await dueRuns(5_000)).toEqual([run.id]);
    });

    test('a run that an answer has put back in the queue counts from then', async () => {
      const s = scene();
      const { run } = await s.parkedRun();
      s.clock.advance(3_600_000);
      await s.write(run, [{ type: 'run.update', set: { status: 'queued' } }]);
      expect(await dueRuns(5_000)).toEqual([]);
      s.clock.advance(5_001);
      expect(await dueRuns(5_000)).toEqual([run.id]);
    });

    test('a running one is due when its lease has ended; parked and ended ones never are', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.parkedRun();
      await s.end(await s.runningRun());
      expect(await dueRuns(0)).toEqual([]);
      s.clock.advance(60_001);
      expect(await dueRuns(0)).toEqual([run.id]);
    });

    test('a due run comes with the fence of the claim that it was lost by', async () => {
      const s = scene();
      const { id, fence } = await s.runningRun();
      const waiting = await s.queuedRun();
      s.clock.advance(60_001);
      const now = s.clock.now();
      const due = ofMine(await s.dueWork.dueRuns({ now, queuedBefore: now, limit: LIMIT }));
      expect(fence).toBeGreaterThan(0);
      expect(new Map(due.map((run) => [run.runId, run.fence]))).toEqual(
        new Map([
          [id, fence],
          [waiting.id, 0],
        ]),
      );
    });

    test('a run that nobody works on is overdue from its deadline on; one that works or has ended is not', async () => {
      const s = scene();
      const { run: parked } = await s.parkedRun();
      const queued = await s.queuedRun();
      await s.runningRun();
      await s.end(await s.runningRun());
      const overdue = async () => {
        const due = await s.dueWork.overdueRuns({ now: s.clock.now(), limit: LIMIT });
        return ofMine(due).map(({ runId }) => runId);
      };
      s.clock.advance(parked.deadlineAt - s.clock.now() - 1);
      expect(await overdue()).toEqual([]);
      s.clock.advance(queued.deadlineAt - s.clock.now());
      expect([...(await overdue())].sort()).toEqual([parked.id, queued.id].sort());
    });

    test('an open interrupt is due when its time has passed', async () => {
      const s = scene();
      const run = await s.runningRun();
      const call = aCall();
      const expiresAt = s.clock.now() + 1_000;
      const [open, answered, forEver] = [
        anInterrupt({ callId: call.id, expiresAt }),
        anInterrupt({ callId: call.id, expiresAt, state: 'answered' }),
        anInterrupt({ callId: call.id }),
      ];
      await s.write(run, [
        { type: 'turn.append', turn: aTurn() },
        { type: 'call.create', call },
        ...[open, answered, forEver].map((interrupt) => ({ type: 'interrupt.open' as const, interrupt })),
      ]);
      const due = async () => ofMine(await s.dueWork.dueInterrupts({ now: s.clock.now(), limit: LIMIT }));
      expect(await due()).toEqual([]);
      s.clock.advance(1_000);
      expect(await due()).toEqual([{ tenant: s.tenant, interruptId: open.id }]);
    });

    test('a log is due, once, while an event for it has been waiting', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.write(run, [], { events: [{ type: 'run.resumed' }] });
      const due = async () =>
        ofMine(await s.dueWork.dueStreams({ before: s.clock.now(), limit: LIMIT })).map(
          ({ stream }) => stream,
        );
      expect(await due()).toEqual([]);
      s.clock.advance(1);
      expect(await due()).toHaveLength(2);
      expect(await due()).toEqual(expect.arrayContaining([messageStream(run), threadStream(run)]));
      const entries = await s.outbox.pending(s.tenant, messageStream(run));
      await s.outbox.markPublished(
        s.tenant,
        entries.map(({ id }) => id),
      );
      expect(await due()).toEqual([threadStream(run)]);
    });
  });
}
