import { describe, expect, test } from 'vitest';
import {
  ALICE,
  BOB,
  EVERYBODY,
  messageStream,
  nothingActive,
  type Scene,
  supersede,
  threadStream,
} from '../scene.js';

export function createRunRules(scene: () => Scene): void {
  describe('a new run', () => {
    test('is queued, and announced on its own log and on the log of its thread', async () => {
      const s = scene();
      const run = await s.queuedRun();
      const at = new Date(run.createdAt).toISOString();
      expect(run).toMatchObject({
        status: 'queued',
        fence: 0,
        eventEpoch: 1,
        eventTail: 0,
        endUserId: ALICE,
      });
      expect(await s.pendingEvents(messageStream(run))).toEqual([
        {
          type: 'run.started',
          agent: 'poster-studio',
          agentVersion: 1,
          runId: run.id,
          messageId: run.messageId,
          at,
        },
      ]);
      expect(await s.pendingEvents(threadStream(run))).toEqual([
        {
          type: 'thread.run_created',
          threadId: run.threadId,
          runId: run.id,
          messageId: run.messageId,
          userMessageId: run.userMessageId,
          at,
        },
      ]);
      expect((await s.ledger.loadRun(s.tenant, run.id))?.run).toEqual(run);
    });

    test('names the logs that it brings: its own, and that of its thread when this is new', async () => {
      const s = scene();
      const input = s.newRun();
      const message = { kind: 'message', id: input.messageId };
      const thread = { kind: 'thread', id: input.newThreadId };
      const first = await s.ledger.createRun(s.tenant, input, nothingActive);
      expect(first).toMatchObject({ kind: 'created', begins: [thread, message] });
      const second = s.newRun({ threadId: input.newThreadId });
      expect(await s.ledger.createRun(s.tenant, second, supersede)).toMatchObject({
        kind: 'created',
        begins: [{ kind: 'message', id: second.messageId }],
      });
    });

    test('is refused in a thread of another end user, of another tenant, or of nobody', async () => {
      const s = scene();
      const { threadId } = await s.queuedRun();
      const other = await s.otherTenant();
      const notFound = { kind: 'thread_not_found' };
      expect(
        await s.ledger.createRun(s.tenant, s.newRun({ threadId, endUserId: BOB }), nothingActive),
      ).toEqual(notFound);
      expect(await s.ledger.createRun(other, s.newRun({ threadId }), nothingActive)).toEqual(notFound);
      const unknown = s.newRun().newThreadId;
      expect(await s.ledger.createRun(s.tenant, s.newRun({ threadId: unknown }), nothingActive)).toEqual(
        notFound,
      );
    });

    test('is refused as busy when what is active must not be closed, and writes nothing', async () => {
      const s = scene();
      const active = await s.runningRun();
      const input = s.newRun({ threadId: active.threadId });
      expect(await s.ledger.createRun(s.tenant, input, () => null)).toEqual({
        kind: 'busy',
        activeRunId: active.id,
      });
      expect(await s.ledger.loadRun(s.tenant, input.runId)).toBeNull();
      expect(await s.pendingEvents(threadStream(active))).toHaveLength(1);
    });

    test('two created at once in one thread: one becomes active, the other is busy', async () => {
      const s = scene();
      let last = await s.runningRun();
      for (let round = 0; round < 5; round += 1) {
        await s.end(last, 'cancelled');
        const attempts = Array.from({ length: 5 }, () => s.newRun({ threadId: last.threadId }));
        const outcomes = await Promise.all(
          attempts.map((input) => s.ledger.createRun(s.tenant, input, () => null)),
        );
        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'busy', 'busy', 'busy', 'created']);
        last = outcomes.find((outcome) => outcome.kind === 'created')?.run ?? last;
      }
    });

    test('stands alone when the run before it in the thread has ended', async () => {
      const s = scene();
      const first = await s.runningRun();
      await s.end(first);
      const second = await s.queuedRun({ threadId: first.threadId });
      expect(second.threadId).toBe(first.threadId);
    });
  });

  describe('superseding', () => {
    test('closes the waiting run in the transaction that creates the new one', async () => {
      const s = scene();
      const { run: waiting, interrupt } = await s.parkedRun();
      const input = s.newRun({ threadId: waiting.threadId });
      const outcome = await s.ledger.createRun(s.tenant, input, (locked) => {
        expect(locked.waits).toEqual([interrupt]);
        return supersede(locked);
      });
      expect(outcome).toMatchObject({
        kind: 'created',
        superseded: { id: waiting.id, messageId: waiting.messageId },
        run: { id: input.runId },
      });
      const [closed] = await s.ledger.loadRecords(s.tenant, EVERYBODY, [waiting.messageId]);
      expect(closed?.run).toMatchObject({ status: 'cancelled', reason: 'superseded' });
      const events = await s.pendingEvents(messageStream(waiting));
      expect(events.map(({ type }) => type)).toEqual(['run.started', 'run.finished']);
    });

    test('a decision that leaves the old run active is an error, and nothing is written', async () => {
      const s = scene();
      const { run: waiting } = await s.parkedRun();
      const input = s.newRun({ threadId: waiting.threadId });
      const creating = s.ledger.createRun(s.tenant, input, () => ({
        changes: [],
        events: [{ type: 'run.resumed' }],
      }));
      await expect(creating).rejects.toThrow();
      expect(await s.ledger.loadRun(s.tenant, input.runId)).toBeNull();
      expect(await s.pendingEvents(messageStream(waiting))).toHaveLength(1);
    });
  });

  describe('an idempotency key', () => {
    const idempotency = { key: 'order-17', requestDigest: 'digest-a' };

    test('with the same body gets the first run again', async () => {
      const s = scene();
      const first = await s.queuedRun({ idempotency });
      const again = await s.ledger.createRun(s.tenant, s.newRun({ idempotency }), nothingActive);
      expect(again).toEqual({ kind: 'repeated', run: first });
    });

    test('is found by itself, before anything is looked for that the first request had', async () => {
      const s = scene();
      const find = (endUserId = ALICE, wanted = idempotency) =>
        s.ledger.findRepeated(s.tenant, endUserId, wanted);
      expect(await find()).toBeNull();
      const first = await s.queuedRun({ idempotency });
      expect(await find()).toEqual({ kind: 'repeated', run: first });
      expect(await find(ALICE, { ...idempotency, requestDigest: 'digest-b' })).toEqual({
        kind: 'key_reused',
      });
      expect(await find(BOB)).toBeNull();
      expect(await s.ledger.findRepeated(await s.otherTenant(), ALICE, idempotency)).toBeNull();
    });

    test('with the same body gets the first run again although that run is still active in the thread', async () => {
      const s = scene();
      const ended = await s.runningRun();
      await s.end(ended);
      const { threadId } = ended;
      const first = await s.queuedRun({ threadId, idempotency });
      const again = await s.ledger.createRun(s.tenant, s.newRun({ threadId, idempotency }), nothingActive);
      expect(again).toEqual({ kind: 'repeated', run: first });
    });

    test('with another body is refused', async () => {
      const s = scene();
      await s.queuedRun({ idempotency });
      const other = s.newRun({ idempotency: { ...idempotency, requestDigest: 'digest-b' } });
      expect(await s.ledger.createRun(s.tenant, other, nothingActive)).toEqual({ kind: 'key_reused' });
    });

    test('sent twice at once makes one run', async () => {
      const s = scene();
      const inputs = Array.from({ length: 4 }, () => s.newRun({ idempotency }));
      const outcomes = await Promise.all(
        inputs.map((input) => s.ledger.createRun(s.tenant, input, nothingActive)),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
        'created',
        'repeated',
        'repeated',
        'repeated',
      ]);
      expect(new Set(outcomes.map((outcome) => ('run' in outcome ? outcome.run.id : null))).size).toBe(1);
    });

    test('belongs to its end user', async () => {
      const s = scene();
      await s.queuedRun({ idempotency });
      const bobs = await s.ledger.createRun(
        s.tenant,
        s.newRun({ idempotency, endUserId: BOB }),
        nothingActive,
      );
      expect(bobs.kind).toBe('created');
    });
  });
}
