import {
  type AppendOutcome,
  type Beginning,
  type EventLog,
  LOG_START,
  type LogEntry,
  type StreamPosition,
  type StreamRef,
} from '@plinth/engine';
import type { MessageId, TenantId, ThreadId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An implementation under test, and what the suite must be able to do to what it stores. */
export interface EventLogUnderTest {
  log: EventLog;
  entries(tenant: TenantId, stream: StreamRef): Promise<LogEntry[]>;
  /** Makes the log as it was when it ended at `until`, or removes it whole. */
  lose(tenant: TenantId, stream: StreamRef, until?: string): Promise<void>;
  close(): Promise<void>;
}

const acme = 'ten_acme' as TenantId;
const other = 'ten_other' as TenantId;
let streams = 0;
function aStream(): StreamRef {
  streams += 1;
  return { kind: 'message', id: `msg_suite${streams}` as MessageId };
}
const at = (epoch: number, tail: number): StreamPosition => ({ epoch, tail });

const BEGINS: Beginning = { fence: 0 };

/** The rules of every `EventLog`. */
export function describeEventLog(name: string, open: () => Promise<EventLogUnderTest>): void {
  describe(`event log: ${name}`, () => {
    let subject: EventLogUnderTest;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    /** As a writer that may begin the epoch, unless the entry says otherwise. */
    const append = (
      stream: StreamRef,
      entry: Partial<Parameters<EventLog['append']>[2]> = {},
    ): Promise<AppendOutcome> =>
      subject.log.append(acme, stream, {
        payload: '{}',
        eventId: null,
        fence: null,
        expect: LOG_START,
        begins: BEGINS,
        ttlSeconds: 60,
        ...entry,
      });
    /** As any other writer: the log has to be there. */
    const goOn = (
      stream: StreamRef,
      expected: StreamPosition,
      entry: Partial<Parameters<EventLog['append']>[2]> = {},
    ) => append(stream, { ...entry, expect: expected, begins: undefined });
    const fill = async (stream: StreamRef, count: number): Promise<void> => {
      for (let n = 1; n <= count; n += 1) await append(stream, { payload: `${n}`, eventId: `e${n}` });
    };
    const seqs = async (stream: StreamRef): Promise<string[]> =>
      (await subject.entries(acme, stream)).map(({ seq }) => seq);

    it('numbers the entries of an epoch without a gap and keeps their text as it was', async () => {
      const stream = aStream();
      const payloads = ['{"a":1}', '{ "spaces" : "and 秋季 🍵" }', '{"line":"\\n"}'];
      for (const payload of payloads) await append(stream, { payload });
      expect(await subject.entries(acme, stream)).toEqual(
        payloads.map((payload, index) => ({ seq: `1-${index + 1}`, payload })),
      );
    });

    it('takes the expected position for a lower bound', async () => {
      const stream = aStream();
      await fill(stream, 3);
      expect(await append(stream, { expect: at(1, 2) })).toEqual({ kind: 'appended', seq: '1-4' });
    });

    it('appending one event twice adds one entry', async () => {
      const stream = aStream();
      await append(stream, { eventId: 'same' });
      await append(stream);
      expect(await append(stream, { eventId: 'same' })).toEqual({ kind: 'duplicate', tail: '1-2' });
      expect(await seqs(stream)).toEqual(['1-1', '1-2']);
    });

    it('several entries are appended in their order, without those that stand there already', async () => {
      const stream = aStream();
      await append(stream, { payload: 'a', eventId: 'a' });
      const batch = { fence: null, expect: LOG_START, ttlSeconds: 60 };
      const entries = ['a', 'b', 'c'].map((name) => ({ payload: name, eventId: name }));
      expect(await subject.log.appendAll(acme, stream, { ...batch, entries })).toEqual({
        kind: 'appended',
        seq: '1-3',
      });
      expect(await subject.log.appendAll(acme, stream, { ...batch, entries })).toEqual({
        kind: 'duplicate',
        tail: '1-3',
      });
      expect((await subject.entries(acme, stream)).map(({ payload }) => payload)).toEqual(['a', 'b', 'c']);
    });

    it('of several entries none is appended when the tail was lost', async () => {
      const stream = aStream();
      const entries = ['a', 'b'].map((name) => ({ payload: name, eventId: name }));
      const batch = { entries, fence: null, expect: at(1, 5), ttlSeconds: 60 };
      expect(await subject.log.appendAll(acme, stream, batch)).toEqual({ kind: 'tail_lost' });
      expect(await subject.entries(acme, stream)).toEqual([]);
    });

    it('two writers appending one event at once: one entry', async () => {
      const stream = aStream();
      const outcomes = await Promise.all([
        append(stream, { eventId: 'same' }),
        append(stream, { eventId: 'same' }),
      ]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['appended', 'duplicate']);
    });

    it('refuses a writer with an older fence, also one that was set by an entry', async () => {
      const stream = aStream();
      await subject.log.setFence(acme, stream, 2, 60);
      expect(await append(stream, { fence: 1 })).toEqual({ kind: 'fenced' });
      expect(await append(stream, { fence: 2 })).toEqual({ kind: 'appended', seq: '1-1' });
      expect(await append(stream, { fence: 10 })).toEqual({ kind: 'appended', seq: '1-2' });
      expect(await append(stream, { fence: 9 })).toEqual({ kind: 'fenced' });
      expect(await seqs(stream)).toEqual(['1-1', '1-2']);
    });

    it('a fence is never lowered', async () => {
      const stream = aStream();
      await subject.log.setFence(acme, stream, 5, 60);
      await subject.log.setFence(acme, stream, 4, 60);
      expect(await append(stream, { fence: 4 })).toEqual({ kind: 'fenced' });
    });

    it('takes an entry without a fence whoever holds the run', async () => {
      const stream = aStream();
      await subject.log.setFence(acme, stream, 5, 60);
      expect((await append(stream, { fence: null })).kind).toBe('appended');
    });

    it('a log that is gone, or ends before what the writer knows, has lost its tail', async () => {
      const stream = aStream();
      await fill(stream, 3);
      expect(await goOn(stream, at(1, 4))).toEqual({ kind: 'tail_lost' });
      await subject.lose(acme, stream, '1-2');
      expect(await goOn(stream, at(1, 3))).toEqual({ kind: 'tail_lost' });
      await subject.lose(acme, stream);
      expect(await goOn(stream, at(1, 3))).toEqual({ kind: 'tail_lost' });
      expect(await seqs(stream)).toEqual([]);
    });

    it('a log that came back older is not gone on with, however little its writer knows', async () => {
      const stream = aStream();
      await fill(stream, 3);
      await subject.lose(acme, stream, '1-2');
      for (const tail of [0, 1, 2])
        expect(await goOn(stream, at(1, tail)), `${tail}`).toEqual({ kind: 'tail_lost' });
      expect(await append(stream)).toEqual({ kind: 'tail_lost' });
      expect(await seqs(stream)).toEqual(['1-1', '1-2']);
    });

    it('a log that is gone is not gone on with, however little its writer knows', async () => {
      const stream = aStream();
      expect(await goOn(stream, LOG_START)).toEqual({ kind: 'tail_lost' });
      await fill(stream, 3);
      await subject.lose(acme, stream);
      expect(await goOn(stream, LOG_START)).toEqual({ kind: 'tail_lost' });
      expect(await seqs(stream)).toEqual([]);
    });

    it('an epoch that the ledger knows and nobody has begun is not gone on with', async () => {
      const stream = aStream();
      await fill(stream, 2);
      expect(await goOn(stream, at(2, 0))).toEqual({ kind: 'tail_lost' });
      expect(await seqs(stream)).toEqual(['1-1', '1-2']);
    });

    it('what stands in a log that came back older is not appended a second time', async () => {
      const stream = aStream();
      await fill(stream, 3);
      await subject.lose(acme, stream, '1-2');
      expect(await goOn(stream, at(1, 3), { eventId: 'e1' })).toEqual({ kind: 'duplicate', tail: '1-2' });
    });

    it('a beginning brings the fence that was lost with the log', async () => {
      const stream = aStream();
      expect((await append(stream, { begins: { fence: 5 } })).kind).toBe('appended');
      expect(await goOn(stream, at(1, 1), { fence: 4 })).toEqual({ kind: 'fenced' });
      expect((await goOn(stream, at(1, 1), { fence: 5 })).kind).toBe('appended');
    });

    it('one that has lost the run begins nothing', async () => {
      const stream = aStream();
      expect(await append(stream, { begins: { fence: 5 }, fence: 4 })).toEqual({ kind: 'fenced' });
      expect(await goOn(stream, LOG_START)).toEqual({ kind: 'tail_lost' });
      expect(await seqs(stream)).toEqual([]);
    });

    it('a raised epoch starts at 1 and no number is used twice', async () => {
      const stream = aStream();
      await fill(stream, 3);
      await subject.lose(acme, stream, '1-1');
      expect(await append(stream, { expect: at(2, 0) })).toEqual({ kind: 'appended', seq: '2-1' });
      expect(await append(stream, { expect: at(2, 1) })).toEqual({ kind: 'appended', seq: '2-2' });
      expect(await seqs(stream)).toEqual(['1-1', '2-1', '2-2']);
    });

    it('entries of a newer epoch that are lost are noticed too', async () => {
      const stream = aStream();
      await fill(stream, 3);
      expect(await goOn(stream, at(2, 1))).toEqual({ kind: 'tail_lost' });
    });

    it('a writer in an older epoch is told where the log is', async () => {
      const stream = aStream();
      await append(stream, { expect: at(3, 0) });
      expect(await append(stream, { expect: at(1, 9) })).toEqual({ kind: 'behind', tail: '3-1' });
    });

    it('an event of a log that is gone does not pass for one that stands in it', async () => {
      const stream = aStream();
      await append(stream, { eventId: 'same' });
      await subject.lose(acme, stream);
      expect(await append(stream, { eventId: 'same', expect: at(2, 0) })).toEqual({
        kind: 'appended',
        seq: '2-1',
      });
    });

    it('the same id under another tenant, or of a thread, is another log', async () => {
      const stream = aStream();
      const batch = { fence: null, expect: LOG_START, begins: BEGINS, ttlSeconds: 60 };
      const entry = { ...batch, payload: '{}', eventId: 'same' };
      const thread: StreamRef = { kind: 'thread', id: `${stream.id}` as ThreadId };
      await subject.log.append(acme, stream, entry);
      expect((await subject.log.append(other, stream, entry)).kind).toBe('appended');
      expect((await subject.log.append(acme, thread, entry)).kind).toBe('appended');
      expect(await seqs(stream)).toEqual(['1-1']);
    });
  });
}
