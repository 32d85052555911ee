import { applyChanges, IllegalTransition, type LockedRun, type RunRecord } from '@plinth/engine';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aCall, anArtifact, anInterrupt, aTurn } from '../builders.js';
import { randomTransactions, toChanges } from '../random-changes.js';
import { messageStream, type Scene } from '../scene.js';

/** Ledgers return rows in an order of their own; `applyChanges` keeps that of the changes. */
const byId = ({ run, turns, calls, interrupts, artifacts }: RunRecord): RunRecord => {
  const sorted = <Row extends { id: string }>(rows: readonly Row[]) =>
    [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { run, turns, calls: sorted(calls), interrupts: sorted(interrupts), artifacts: sorted(artifacts) };
};

export function transactRules(scene: () => Scene): void {
  describe('a decision', () => {
    test('any list of changes leaves exactly what applyChanges predicts', async () => {
      const s = scene();
      await fc.assert(
        fc.asyncProperty(randomTransactions, async (transactions) => {
          const run = await s.runningRun();
          let expected: RunRecord = { run, turns: [], calls: [], interrupts: [], artifacts: [] };
          for (const steps of transactions) {
            const changes = toChanges(steps, expected);
            expected = applyChanges(expected, changes);
            await s.write(run, changes);
          }
          const found = await s.ledger.loadTail(s.tenant, run.id, 0);
          expect(found && byId(found)).toEqual(byId(expected));
        }),
        { numRuns: 40 },
      );
    }, 60_000);

    test('that throws writes nothing, and its error rises', async () => {
      const s = scene();
      const run = await s.runningRun();
      const deciding = s.ledger.transact(s.tenant, run.id, () => {
        throw new Error('changed my mind');
      });
      await expect(deciding).rejects.toThrow('changed my mind');
      expect(await s.ledger.loadTail(s.tenant, run.id, 0)).toMatchObject({ run, turns: [] });
    });

    test('to change the status against the rules writes nothing: no row, no event', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.end(run);
      const before = await s.ledger.loadTail(s.tenant, run.id, 0);
      const writing = s.write(
        run,
        [
          { type: 'turn.append', turn: aTurn() },
          { type: 'run.update', set: { status: 'running' } },
        ],
        { events: [{ type: 'run.resumed' }] },
      );
      await expect(writing).rejects.toThrow(IllegalTransition);
      expect(await s.ledger.loadTail(s.tenant, run.id, 0)).toEqual(before);
      expect(await s.pendingEvents(messageStream(run))).toHaveLength(1);
    });

    test('about a run that is not there, or of another tenant, is not asked for', async () => {
      const s = scene();
      const run = await s.runningRun();
      const decide = () => {
        throw new Error('nobody should ask');
      };
      expect(await s.ledger.transact(s.tenant, s.newRun().runId, decide)).toBeNull();
      expect(await s.ledger.transact(await s.otherTenant(), run.id, decide)).toBeNull();
    });

    test('sees the open calls in call order, and the interrupts that are open or not consumed yet', async () => {
      const s = scene();
      const run = await s.runningRun();
      const at = s.clock.now();
      const [pending, started, done] = [
        aCall(),
        aCall({ position: 1, status: 'started' }),
        aCall({ position: 2, status: 'succeeded' }),
      ];
      const open = anInterrupt({ callId: pending.id, expiresAt: at + 1 });
      const answered = anInterrupt({
        callId: started.id,
        state: 'answered',
        answeredAt: at,
        answer: { type: 'expired' },
      });
      const consumed = {
        ...anInterrupt({ callId: done.id, state: 'answered' }),
        answeredAt: at,
        consumedAt: at,
      };
      const expired = {
        ...anInterrupt({ callId: started.id, state: 'closed', closedWhy: 'expired' }),
        answeredAt: at,
        answer: { type: 'expired' as const },
      };
      const closed = anInterrupt({ callId: done.id, state: 'closed', closedWhy: 'cancelled' });
      await s.write(run, [
        { type: 'turn.append', turn: aTurn() },
        ...[done, started, pending].map((call) => ({ type: 'call.create' as const, call })),
        ...[open, answered, consumed, expired, closed].map((interrupt) => ({
          type: 'interrupt.open' as const,
          interrupt,
        })),
      ]);
      const seen = await s.ledger.transact(s.tenant, run.id, (locked) => ({
        decision: { changes: [], events: [] },
        result: locked,
      }));
      expect(seen?.result).toEqual<LockedRun>({
        run,
        openCalls: [pending, started],
        waits: [open, answered, expired],
      });
    });

    test('twenty at once on one run: each sees what the one before it wrote', async () => {
      const s = scene();
      const run = await s.runningRun();
      await Promise.all(
        Array.from({ length: 20 }, () =>
          s.ledger.transact(s.tenant, run.id, ({ run: { usage } }) => ({
            decision: {
              changes: [
                { type: 'run.update', set: { usage: { ...usage, outputTokens: usage.outputTokens + 1 } } },
              ],
              events: [],
            },
            result: null,
          })),
        ),
      );
      expect((await s.ledger.loadRun(s.tenant, run.id))?.run.usage.outputTokens).toBe(20);
    });

    test('an answer and a park at once: a run never parks on an answer that it has not consumed', async () => {
      const s = scene();
      for (let round = 0; round < 10; round += 1) {
        const run = await s.runningRun();
        const call = aCall();
        const interrupt = anInterrupt({ callId: call.id });
        await s.write(run, [
          { type: 'turn.append', turn: aTurn() },
          { type: 'call.create', call },
          { type: 'interrupt.open', interrupt },
        ]);
        const answer = s.ledger.transact(s.tenant, run.id, ({ run: { status } }) => ({
          decision: {
            changes: [
              {
                type: 'interrupt.update',
                interruptId: interrupt.id,
                set: { state: 'answered', answeredAt: s.clock.now() },
              },
              ...(status === 'interrupted'
                ? [{ type: 'run.update' as const, set: { status: 'queued' as const } }]
                : []),
            ],
            events: [],
          },
          result: null,
        }));
        const park = s.ledger.transact(s.tenant, run.id, ({ waits }) => ({
          decision: waits.some(({ state }) => state === 'answered')
            ? { changes: [], events: [] }
            : {
                changes: [{ type: 'run.update', set: { status: 'interrupted', leaseUntil: null } }],
                events: [],
              },
          result: null,
        }));
        await Promise.all([answer, park]);
        expect((await s.ledger.loadRun(s.tenant, run.id))?.run.status).not.toBe('interrupted');
      }
    });

    test('keeps arguments, answers and results to the byte', async () => {
      const s = scene();
      const run = await s.runningRun();
      const raw = '{"b": 1,\n "a":2, "a":3, "z":1.0, "e":"\\u0000\\ud83c"}';
      const call = aCall({ argumentsRaw: `${raw} and not even JSON`, resultText: raw });
      await s.write(run, [
        { type: 'turn.append', turn: aTurn({ assistantRaw: raw }) },
        { type: 'call.create', call },
        {
          type: 'artifact.create',
          artifact: anArtifact({ threadId: run.threadId, endUserId: run.endUserId, runId: run.id }),
        },
      ]);
      const found = await s.ledger.loadRun(s.tenant, run.id);
      expect(found?.turns[0]?.assistantRaw).toBe(raw);
      expect(found?.calls[0]).toEqual(call);
    });
  });
}
