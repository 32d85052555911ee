import { describe, expect, test } from 'vitest';
import { BOB, nothingActive, type Scene, threadStream } from '../scene.js';
import { BranchScene } from './branch-scene.js';

const NO_MESSAGE = { kind: 'message_not_found' };

export function retryRules(scene: () => Scene): void {
  describe('another answer to the same question', () => {
    test('knows what the first one knew and nothing of the first one, and is the new head', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const second = await b.exchange('two', first.threadId);
      const input = b.retryOf(second);
      const outcome = await b.s.ledger.createRun(b.s.tenant, input, nothingActive);
      if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
      const { run } = outcome;
      expect(run).toMatchObject({ threadId: first.threadId, userMessageId: second.userMessageId });
      expect(run.messageId).not.toBe(second.messageId);
      expect(await b.history(run)).toEqual(await b.history(second));
      expect((await b.s.pendingEvents(threadStream(run))).at(-1)).toMatchObject({
        type: 'thread.run_created',
        messageId: run.messageId,
        userMessageId: second.userMessageId,
      });

      await b.s.end(run, 'cancelled');
      expect(await b.history(await b.exchange('three', first.threadId))).toEqual([
        'one',
        'answer to one',
        'two',
        'three',
      ]);
      await b.move(first.threadId, second.messageId);
      expect(await b.history(await b.exchange('four', first.threadId))).toContain('answer to two');
    });

    test('is refused while the first one is active, and writes nothing', async () => {
      const b = new BranchScene(scene());
      const active = await b.s.runningRun();
      const input = b.retryOf(active);
      expect(await b.s.ledger.createRun(b.s.tenant, input, () => null)).toEqual({
        kind: 'busy',
        activeRunId: active.id,
      });
      expect(await b.s.ledger.loadRun(b.s.tenant, input.runId)).toBeNull();
    });

    test('and a new run at once: one becomes active, the other is busy', async () => {
      const b = new BranchScene(scene());
      let last = await b.exchange('one');
      for (let round = 0; round < 5; round += 1) {
        const { threadId } = last;
        const attempts = [
          b.retryOf(last),
          b.s.newRun({ threadId }),
          b.retryOf(last),
          b.s.newRun({ threadId }),
        ];
        const outcomes = await Promise.all(
          attempts.map((input) => b.s.ledger.createRun(b.s.tenant, input, () => null)),
        );
        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['busy', 'busy', 'busy', 'created']);
        last = outcomes.find((outcome) => outcome.kind === 'created')?.run ?? last;
        await b.s.end(last, 'cancelled');
      }
    });

    test('is given in a fork that shares the question, and the first thread does not hear of it', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const fork = await b.fork(first.threadId, first.messageId);
      const input = b.retryOf(first, fork.id);
      const outcome = await b.s.ledger.createRun(b.s.tenant, input, nothingActive);
      if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
      expect(outcome.run.threadId).toBe(fork.id);
      expect(await b.history(outcome.run)).toEqual(['one']);
      expect(await b.move(first.threadId, outcome.run.messageId)).toEqual(NO_MESSAGE);
    });

    test('is refused where there is no such question', async () => {
      const b = new BranchScene(scene());
      const [one, other] = [await b.exchange('one'), await b.exchange('other')];
      const create = (input: ReturnType<Scene['newRun']>) =>
        b.s.ledger.createRun(b.s.tenant, input, nothingActive);
      expect(await create(b.retryOf(other, one.threadId))).toEqual(NO_MESSAGE);
      expect(await create({ ...b.retryOf(one), userMessageId: one.messageId })).toEqual(NO_MESSAGE);
      expect(await create({ ...b.retryOf(one), threadId: null })).toEqual(NO_MESSAGE);
      expect(await create({ ...b.retryOf(one), endUserId: BOB })).toEqual({ kind: 'thread_not_found' });
    });

    test('under one idempotency key is given once, also while it is active', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const idempotency = { key: 'again', requestDigest: 'digest-r' };
      const inputs = [1, 2, 3].map(() => ({ ...b.retryOf(first), idempotency }));
      const outcomes = await Promise.all(
        inputs.map((input) => b.s.ledger.createRun(b.s.tenant, input, nothingActive)),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['created', 'repeated', 'repeated']);
      expect(new Set(outcomes.map((outcome) => ('run' in outcome ? outcome.run.id : null))).size).toBe(1);
    });
  });
}
