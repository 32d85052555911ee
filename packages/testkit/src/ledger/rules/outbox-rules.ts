import { describe, expect, test } from 'vitest';
import { messageStream, type Scene, threadStream } from '../scene.js';

export function outboxRules(scene: () => Scene): void {
  describe('the outbox', () => {
    test('holds the events of a decision in their order, each with an id of its own', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.write(run, [], {
        events: [{ type: 'run.resumed' }, { type: 'text.done', turn: 0, text: '茶' }],
      });
      const entries = await s.outbox.pending(s.tenant, messageStream(run));
      const owner = { runId: run.id, messageId: run.messageId, at: new Date(s.clock.now()).toISOString() };
      expect(entries.slice(1).map(({ payload }) => JSON.parse(payload))).toEqual([
        { type: 'run.resumed', ...owner },
        { type: 'text.done', turn: 0, text: '茶', ...owner },
      ]);
      expect(new Set(entries.map(({ eventId }) => eventId)).size).toBe(3);
      expect(entries.every(({ stream }) => stream.id === run.messageId)).toBe(true);
    });

    test('gives events the time that their decision names: that of a row which says the same', async () => {
      const s = scene();
      const run = await s.runningRun();
      const at = s.clock.now() - 7;
      await s.write(run, [], { events: [{ type: 'run.resumed' }], at });
      const [, resumed] = await s.pendingEvents(messageStream(run));
      expect(resumed).toMatchObject({ type: 'run.resumed', at: new Date(at).toISOString() });
    });

    test('keeps the order of commits when many write to one log at once', async () => {
      const s = scene();
      const run = await s.runningRun();
      await Promise.all(
        Array.from({ length: 20 }, () =>
          s.ledger.transact(s.tenant, run.id, ({ run: { eventTail } }) => ({
            decision: {
              changes: [{ type: 'run.update', set: { eventTail: eventTail + 1 } }],
              events: [{ type: 'notice', code: 'order', message: String(eventTail) }],
            },
            result: null,
          })),
        ),
      );
      const written = await s.pendingEvents(messageStream(run));
      expect(written.slice(1).map(({ message }) => Number(message))).toEqual(
        Array.from({ length: 20 }, (_, n) => n),
      );
    });

    test('nothing new ever appears before what a reader of a thread has seen', async () => {
      const s = scene();
      const run = await s.runningRun();
      const { threadId, id: runId, messageId } = run;
      const at = new Date(s.clock.now()).toISOString();
      const finished = { type: 'thread.run_finished', threadId, runId, messageId, at } as const;
      let writing = true;
      // Few at a time, one after the other: the reader must get its turns between them.
      const tenTimes = async (write: () => Promise<void>) => {
        for (let time = 0; time < 10; time += 1) await write();
      };
      const announcing = () => tenTimes(() => s.outbox.announce(s.tenant, finished));
      const deciding = () => tenTimes(() => s.write(run, [], { threadEvents: [finished] }));
      const writers = Promise.all([announcing(), announcing(), announcing(), deciding()]).finally(() => {
        writing = false;
      });
      let seen: bigint[] = [];
      while (writing) {
        const now = (await s.outbox.pending(s.tenant, threadStream(run))).map(({ id }) => id);
        expect(now.slice(0, seen.length)).toEqual(seen);
        seen = now;
      }
      await writers;
      expect(await s.outbox.pending(s.tenant, threadStream(run))).toHaveLength(41);
    });

    test('forgets what was published, once', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.write(run, [], { events: [{ type: 'run.resumed' }] });
      const [first] = await s.outbox.pending(s.tenant, messageStream(run));
      if (!first) throw new Error('nothing is pending');
      await s.outbox.markPublished(await s.otherTenant(), [first.id]);
      expect(await s.outbox.pending(s.tenant, messageStream(run))).toHaveLength(2);
      await s.outbox.markPublished(s.tenant, [first.id]);
      await s.outbox.markPublished(s.tenant, [first.id]);
      await s.outbox.markPublished(s.tenant, []);
      expect((await s.pendingEvents(messageStream(run))).map(({ type }) => type)).toEqual(['run.resumed']);
    });
  });

  describe('the position of a log', () => {
    test('of a message is what the run recorded', async () => {
      const s = scene();
      const run = await s.runningRun();
      expect(await s.outbox.position(s.tenant, messageStream(run))).toEqual({ epoch: 1, tail: 0 });
      await s.write(run, [{ type: 'run.update', set: { eventEpoch: 2, eventTail: 40 } }]);
      expect(await s.outbox.position(s.tenant, messageStream(run))).toEqual({ epoch: 2, tail: 40 });
    });

    test('of a thread grows with every entry published, however often that is reported', async () => {
      const s = scene();
      const run = await s.runningRun();
      const [created] = await s.outbox.pending(s.tenant, threadStream(run));
      if (!created) throw new Error('nothing is pending');
      await Promise.all([
        s.outbox.markPublished(s.tenant, [created.id]),
        s.outbox.markPublished(s.tenant, [created.id]),
      ]);
      expect(await s.outbox.position(s.tenant, threadStream(run))).toEqual({ epoch: 1, tail: 1 });
    });

    test('two who find the same loss raise the epoch once, and its numbers start anew', async () => {
      const s = scene();
      const run = await s.runningRun();
      await s.write(run, [{ type: 'run.update', set: { eventTail: 40 } }]);
      for (const stream of [messageStream(run), threadStream(run)]) {
        const epochs = await Promise.all(
          Array.from({ length: 5 }, () => s.outbox.raiseEpoch(s.tenant, stream, 1)),
        );
        expect(epochs.map(({ epoch }) => epoch)).toEqual([2, 2, 2, 2, 2]);
        // One of them may begin it.
        expect(epochs.filter(({ raised }) => raised)).toHaveLength(1);
        const late = { epoch: 2, raised: false, fence: stream.kind === 'message' ? run.fence : 0 };
        expect(await s.outbox.raiseEpoch(s.tenant, stream, 1)).toEqual(late);
        expect(await s.outbox.position(s.tenant, stream)).toEqual({ epoch: 2, tail: 0 });
      }
    });

    test('of another tenant is not told', async () => {
      const s = scene();
      const run = await s.runningRun();
      const other = await s.otherTenant();
      await expect(s.outbox.position(other, messageStream(run))).rejects.toThrow('has no event log');
      await expect(s.outbox.raiseEpoch(other, threadStream(run), 1)).rejects.toThrow('has no event log');
    });
  });
}
