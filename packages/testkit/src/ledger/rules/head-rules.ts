import { describe, expect, test } from 'vitest';
import { ALICE, BOB, EVERYBODY, messageStream, type Scene, supersede, threadStream } from '../scene.js';
import { BranchScene } from './branch-scene.js';

const NO_MESSAGE = { kind: 'message_not_found' };
const NO_THREAD = { kind: 'thread_not_found' };

export function headRules(scene: () => Scene): void {
  describe('moving the head', () => {
    test('makes the next run go on from there, and what was said after it stays on its own branch', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const second = await b.exchange('two', first.threadId);
      expect(await b.move(first.threadId, first.messageId)).toMatchObject({
        kind: 'moved',
        superseded: null,
      });
      const other = await b.exchange('three', first.threadId);
      expect(await b.history(other)).toEqual(['one', 'answer to one', 'three']);

      await b.move(first.threadId, second.messageId);
      const next = await b.exchange('four', first.threadId);
      expect(await b.history(next)).toEqual(['one', 'answer to one', 'two', 'answer to two', 'four']);
    });

    test('is possible to a question as well as to an answer', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      await b.move(first.threadId, first.userMessageId);
      expect(await b.history(await b.exchange('two', first.threadId))).toEqual(['one', 'two']);
    });

    test('is possible before everything: the next run begins anew, and what was said stays', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const { threadId } = first;
      expect(await b.move(threadId, null)).toMatchObject({ kind: 'moved', superseded: null });
      expect(await b.move(threadId, null)).toEqual({ kind: 'moved', superseded: null, outbox: [] });
      const events = await b.s.pendingEvents(threadStream(first));
      expect(events.at(-1)).toMatchObject({ type: 'thread.head_moved', threadId, messageId: null });
      const anew = await b.exchange('two', threadId);
      expect(await b.history(anew)).toEqual(['two']);
      await b.move(threadId, first.messageId);
      expect(await b.history(await b.exchange('three', threadId))).toEqual(['one', 'answer to one', 'three']);
    });

    test('before everything is possible in a fork as well, and leaves the first thread alone', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const fork = await b.fork(first.threadId, first.messageId);
      await b.move(fork.id, null);
      expect(await b.history(await b.exchange('two', fork.id))).toEqual(['two']);
      await b.move(fork.id, first.messageId);
      expect(await b.history(await b.exchange('three', fork.id))).toEqual(['one', 'answer to one', 'three']);
      const next = await b.exchange('four', first.threadId);
      expect(await b.history(next)).toEqual(['one', 'answer to one', 'four']);
    });

    test('is announced on the log of the thread, unless the head stands there already', async () => {
      const b = new BranchScene(scene());
      const { threadId, messageId, userMessageId, ...run } = await b.exchange('one');
      const stream = threadStream({ threadId, messageId, userMessageId, ...run });
      const before = await b.s.pendingEvents(stream);
      expect(await b.move(threadId, messageId)).toEqual({ kind: 'moved', superseded: null, outbox: [] });
      expect(await b.s.pendingEvents(stream)).toEqual(before);

      const moved = await b.move(threadId, userMessageId);
      const event = {
        type: 'thread.head_moved',
        threadId,
        messageId: userMessageId,
        at: new Date(b.s.clock.now()).toISOString(),
      };
      expect(await b.s.pendingEvents(stream)).toEqual([...before, event]);
      expect(moved.kind === 'moved' && moved.outbox.map(({ payload }) => JSON.parse(payload)).at(-1)).toEqual(
        event,
      );
    });

    test('is refused to a message that is not in the tree of the thread', async () => {
      const b = new BranchScene(scene());
      const [one, other] = [await b.exchange('one'), await b.exchange('other')];
      expect(await b.move(one.threadId, other.messageId)).toEqual(NO_MESSAGE);
      expect(await b.move(one.threadId, b.s.newRun().messageId)).toEqual(NO_MESSAGE);
    });

    test('is refused in a thread of another end user, of another tenant, or of nobody', async () => {
      const b = new BranchScene(scene());
      const { threadId, messageId } = await b.exchange('one');
      expect(await b.move(threadId, messageId, { viewer: { endUserId: BOB } })).toEqual(NO_THREAD);
      expect(await b.move(b.s.newRun().newThreadId, messageId)).toEqual(NO_THREAD);
      const input = { viewer: EVERYBODY, threadId, messageId, now: b.s.clock.now() };
      const never = () => null;
      expect(await b.s.ledger.moveHead(await b.s.otherTenant(), input, never)).toEqual(NO_THREAD);
      expect(await b.s.ledger.moveHead(b.s.tenant, input, never)).toMatchObject({ kind: 'moved' });
    });

    test('is refused as busy when what is active must not be closed, and moves nothing', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const active = await b.s.runningRun({ threadId: first.threadId, text: 'two' });
      const { threadId, messageId } = first;
      const input = { viewer: { endUserId: ALICE }, threadId, messageId, now: b.s.clock.now() };
      expect(await b.s.ledger.moveHead(b.s.tenant, input, () => null)).toEqual({
        kind: 'busy',
        activeRunId: active.id,
      });
      await b.s.end(active);
      expect(await b.history(await b.s.queuedRun({ threadId, text: 'three' }))).toContain('two');
    });

    test('closes a run that gives way in the same transaction', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const { run: waiting, interrupt } = await b.s.parkedRun({ threadId: first.threadId });
      const { threadId, messageId } = first;
      const input = { viewer: { endUserId: ALICE }, threadId, messageId, now: b.s.clock.now() };
      const outcome = await b.s.ledger.moveHead(b.s.tenant, input, (locked) => {
        expect(locked.waits).toEqual([interrupt]);
        return supersede(locked);
      });
      expect(outcome).toMatchObject({ kind: 'moved', superseded: { id: waiting.id } });
      expect(await b.s.ledger.findRun(b.s.tenant, EVERYBODY, waiting.id)).toMatchObject({
        status: 'cancelled',
        reason: 'superseded',
      });
      expect((await b.s.pendingEvents(messageStream(waiting))).at(-1)).toMatchObject({
        type: 'run.finished',
      });
    });

    test('and a run that starts at once: one is first, and the run goes on from where the head then is', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      await b.exchange('two', first.threadId);
      const { threadId, messageId } = first;
      const input = { viewer: { endUserId: ALICE }, threadId, messageId, now: b.s.clock.now() };
      const [moved, started] = await Promise.all([
        b.s.ledger.moveHead(b.s.tenant, input, () => null),
        b.s.ledger.createRun(b.s.tenant, b.s.newRun({ threadId, text: 'three' }), () => null),
      ]);
      if (started.kind !== 'created') throw new Error(`the run was not created: ${started.kind}`);
      expect(await b.history(started.run)).toEqual(
        moved.kind === 'busy'
          ? ['one', 'answer to one', 'two', 'answer to two', 'three']
          : ['one', 'answer to one', 'three'],
      );
    });
  });
}
