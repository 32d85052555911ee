import type { MessageId, OnBusy, RunId, ThreadId } from '@plinth/protocol';
import { aComponentTool, type ModelScript, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { forkThread } from './fork-thread.js';
import { moveHead } from './move-head.js';

const FORM = aComponentTool('form');
const FORM_CALL = { name: 'form', arguments: {} };

const move = (engine: TestEngine, threadId: string, messageId: string, onBusy: OnBusy = 'reject') =>
  moveHead(
    engine.door,
    engine.tenant,
    { endUserId: engine.user },
    { threadId: threadId as ThreadId, messageId: messageId as MessageId, onBusy },
  );
const fork = (engine: TestEngine, threadId: string, messageId: string) =>
  forkThread(
    engine.door,
    engine.tenant,
    { endUserId: engine.user },
    { threadId: threadId as ThreadId, messageId: messageId as MessageId, title: null },
  );
/** Asks the person when the question is `ask`. */
const echo: ModelScript = ({ messages }) => {
  const question = messages.findLast(({ role }) => role === 'user')?.content;
  const asks = question === 'ask' && messages.at(-1)?.role === 'user';
  return asks ? { calls: [FORM_CALL] } : { text: `answer to ${question}` };
};
const said = (engine: TestEngine) => engine.model.asked.at(-1)?.messages.map(({ content }) => content);

describe('moving the head of a thread', () => {
  it('lets the next run go on from there, and readers of the thread hear of it', async () => {
    const engine = startEngine({ model: echo });
    const { threadId, messageId } = await engine.start('one');
    await engine.work();
    await engine.start('two', { threadId });
    await engine.work();
    await move(engine, threadId, messageId);
    const entries = await engine.log.entries(engine.tenant, { kind: 'thread', id: threadId as ThreadId });
    expect(JSON.parse(entries.at(-1)?.payload ?? '{}')).toMatchObject({
      type: 'thread.head_moved',
      messageId,
    });
    await engine.start('three', { threadId });
    await engine.work();
    expect(said(engine)?.slice(1)).toEqual(['one', 'answer to one', 'three']);
  });

  it('is refused while a run waits, unless the caller wants it closed: then its form is closed with it', async () => {
    const engine = startEngine({ tools: [FORM], model: echo });
    const first = await engine.start('one');
    await engine.work();
    const waiting = await engine.start('ask', { threadId: first.threadId });
    await engine.work();
    const form = await engine.wait(waiting.runId);
    await expect(move(engine, first.threadId, first.messageId)).rejects.toMatchObject({
      code: 'thread_busy',
      facts: { activeRunId: waiting.runId },
    });
    await move(engine, first.threadId, first.messageId, 'supersede');
    expect(await engine.view(waiting.runId)).toMatchObject({
      status: 'cancelled',
      reason: 'superseded',
      calls: [{ status: 'superseded' }],
      interrupts: [{ state: 'closed', closedWhy: 'superseded' }],
    });
    await expect(engine.answer(form.id, { type: 'submit', value: 1 })).rejects.toMatchObject({
      code: 'interrupt_closed',
    });
    expect(engine.observer.endings).toEqual(['final_answer', 'superseded']);
    expect(await engine.brokenRules(waiting.runId)).toEqual([]);
  });

  it('is refused while a run works, whatever the caller wants', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('one');
    await engine.work();
    const second = await engine.start('two', { threadId: first.threadId });
    await engine.ledger.claimRun(engine.tenant, second.runId as RunId, {
      owner: 'a worker',
      now: engine.clock.now(),
      leaseUntil: engine.clock.now() + 60_000,
    });
    await expect(move(engine, first.threadId, first.messageId, 'supersede')).rejects.toMatchObject({
      code: 'thread_busy',
    });
  });

  it('to what is not there is not found', async () => {
    const engine = startEngine({ model: echo });
    const [one, other] = [await engine.start('one'), await engine.start('other')];
    await engine.work();
    const notFound = { code: 'not_found' };
    await expect(move(engine, one.threadId, other.messageId)).rejects.toMatchObject(notFound);
    await expect(move(engine, 'thr_9999', one.messageId)).rejects.toMatchObject(notFound);
  });
});

describe('a fork', () => {
  it('asks the model with the shared history, the results of its calls included, and leaves the first thread alone', async () => {
    const engine = startEngine({ tools: [FORM], model: echo });
    const { runId, threadId, messageId } = await engine.start('ask');
    await engine.work();
    await expect(fork(engine, threadId, messageId)).rejects.toMatchObject({
      code: 'thread_busy',
      facts: { activeRunId: runId },
    });
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 'mine' });
    await engine.work();
    const forked = await fork(engine, threadId, messageId);
    await engine.start('here', { threadId });
    const there = await engine.start('there', { threadId: forked });
    await engine.work();
    expect(await engine.ended(there.runId)).toBe(true);
    const roles = engine.model.asked.at(-1)?.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect(said(engine)?.at(-1)).toBe('there');
    expect(await engine.brokenRules(there.runId)).toEqual([]);
  });

  it('of what is not there is not found', async () => {
    const engine = startEngine({ model: echo });
    const [one, other] = [await engine.start('one'), await engine.start('other')];
    await engine.work();
    const notFound = { code: 'not_found' };
    await expect(fork(engine, one.threadId, other.messageId)).rejects.toMatchObject(notFound);
    await expect(fork(engine, 'thr_9999', one.messageId)).rejects.toMatchObject(notFound);
  });
});
