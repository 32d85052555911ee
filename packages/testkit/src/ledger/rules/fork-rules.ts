import { describe, expect, test } from 'vitest';
import { BOB, EVERYBODY, nothingActive, type Scene } from '../scene.js';
import { BranchScene } from './branch-scene.js';

const FORKED = { kind: 'forked' };
const NO_MESSAGE = { kind: 'message_not_found' };

export function forkRules(scene: () => Scene): void {
  describe('a fork', () => {
    test('goes on from its message with the history before it, and neither thread hears of the other', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const second = await b.exchange('two', first.threadId);
      const fork = await b.fork(first.threadId, first.messageId);
      expect(fork.outcome).toEqual(FORKED);
      const there = await b.exchange('there', fork.id);
      const here = await b.exchange('here', first.threadId);
      expect(there).toMatchObject({ threadId: fork.id, endUserId: first.endUserId });
      expect(await b.history(there)).toEqual(['one', 'answer to one', 'there']);
      expect(await b.history(here)).toEqual(['one', 'answer to one', 'two', 'answer to two', 'here']);
      expect(await b.move(fork.id, second.messageId)).toEqual(NO_MESSAGE);
      expect(await b.move(first.threadId, there.messageId)).toEqual(NO_MESSAGE);
    });

    test('has the shared messages in its tree, wherever its head stands', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const second = await b.exchange('two', first.threadId);
      const fork = await b.fork(first.threadId, second.messageId);
      expect(await b.move(fork.id, first.messageId)).toMatchObject({ kind: 'moved' });
      expect(await b.move(fork.id, second.messageId)).toMatchObject({ kind: 'moved' });
    });

    test('can be forked again, from what it shares and from what it added', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const fork = await b.fork(first.threadId, first.messageId);
      const added = await b.exchange('two', fork.id);
      const again = await b.fork(fork.id, added.messageId);
      expect(await b.history(await b.exchange('three', again.id))).toEqual([
        'one',
        'answer to one',
        'two',
        'answer to two',
        'three',
      ]);
      expect(await b.move(again.id, first.userMessageId)).toMatchObject({ kind: 'moved' });
      expect((await b.fork(again.id, first.messageId)).outcome).toEqual(FORKED);
    });

    test('is not held up by a run that is active elsewhere, but the answer of an active run is no place for one', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const active = await b.s.runningRun({ threadId: first.threadId, text: 'two' });
      expect((await b.fork(first.threadId, active.messageId)).outcome).toEqual({
        kind: 'busy',
        activeRunId: active.id,
      });
      const fork = await b.fork(first.threadId, active.userMessageId);
      const there = await b.s.queuedRun({ threadId: fork.id, text: 'there' });
      expect(await b.history(there)).toEqual(['one', 'answer to one', 'two', 'there']);
      await b.s.end(active);
      expect((await b.fork(first.threadId, active.messageId)).outcome).toEqual(FORKED);
    });

    test('is made only by who may see the thread, and belongs to its end user', async () => {
      const b = new BranchScene(scene());
      const first = await b.exchange('one');
      const { threadId, messageId } = first;
      const noThread = { kind: 'thread_not_found' };
      expect((await b.fork(threadId, messageId, { endUserId: BOB })).outcome).toEqual(noThread);
      const { newThreadId, now } = b.s.newRun();
      const input = { viewer: EVERYBODY, threadId, messageId, newThreadId, title: 'A try', now };
      expect(await b.s.ledger.forkThread(await b.s.otherTenant(), input)).toEqual(noThread);
      expect(await b.s.ledger.forkThread(b.s.tenant, input)).toEqual(FORKED);
      const bobs = b.s.newRun({ threadId: newThreadId, endUserId: BOB });
      expect(await b.s.ledger.createRun(b.s.tenant, bobs, nothingActive)).toEqual(noThread);
      expect((await b.exchange('two', newThreadId)).threadId).toBe(newThreadId);
    });

    test('is refused at a message that is not in the tree of the thread', async () => {
      const b = new BranchScene(scene());
      const [one, other] = [await b.exchange('one'), await b.exchange('other')];
      expect((await b.fork(one.threadId, other.messageId)).outcome).toEqual(NO_MESSAGE);
    });
  });
}
