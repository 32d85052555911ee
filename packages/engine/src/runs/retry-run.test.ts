import type { RunId, ThreadId } from '@plinth/protocol';
import { aComponentTool, type ModelScript, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { moveHead } from './move-head.js';
import { type RetryRun, retryRun } from './retry-run.js';

const FORM = aComponentTool('form');
const FORM_CALL = { name: 'form', arguments: {} };

const retry = (engine: TestEngine, runId: string, request: Partial<RetryRun> = {}) =>
  retryRun(
    engine.door,
    engine.tenant,
    { endUserId: engine.user },
    {
      runId: runId as RunId,
      agentVersion: 'newest',
      threadId: null,
      onBusy: 'supersede',
      idempotencyKey: null,
      ...request,
    },
  );
/** Answers with the question and how often it was asked; asks the person when the question is `ask`. */
const echo: ModelScript = ({ messages }, attempt) => {
  const question = messages.findLast(({ role }) => role === 'user')?.content;
  return question === 'ask' ? { calls: [FORM_CALL] } : { text: `${question} ${attempt}` };
};
const said = (engine: TestEngine) => engine.model.asked.at(-1)?.messages.map(({ content }) => content);

describe('retrying a run', () => {
  it('asks the model the same question again, without the answer it gave', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('go');
    await engine.work();
    const before = said(engine);
    const second = await retry(engine, first.runId);
    expect(second).toMatchObject({ threadId: first.threadId, userMessageId: first.userMessageId });
    expect(second.messageId).not.toBe(first.messageId);
    await engine.work();
    expect(said(engine)).toEqual(before);
    expect(await engine.view(second.runId)).toMatchObject({
      status: 'completed',
      parts: [{ text: 'go 2' }],
    });
    expect(await engine.view(first.runId)).toMatchObject({ status: 'completed', parts: [{ text: 'go 1' }] });

    await engine.start('and now?', { threadId: first.threadId });
    await engine.work();
    expect(said(engine)).toEqual([...(before ?? []), 'go 2', 'and now?']);
    for (const { runId } of [first, second]) expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is refused while the run itself is active, waiting or not', async () => {
    const engine = startEngine({ tools: [FORM], model: echo });
    const { runId } = await engine.start('ask');
    const busy = { code: 'thread_busy', facts: { activeRunId: runId } };
    await expect(retry(engine, runId)).rejects.toMatchObject(busy);
    await engine.work();
    await expect(retry(engine, runId)).rejects.toMatchObject(busy);
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('closes another run of the thread that only waits, or is refused by it, as the caller says', async () => {
    const engine = startEngine({ tools: [FORM], model: echo });
    const first = await engine.start('go');
    await engine.work();
    const waiting = await engine.start('ask', { threadId: first.threadId });
    await engine.work();
    await expect(retry(engine, first.runId, { onBusy: 'reject' })).rejects.toMatchObject({
      code: 'thread_busy',
      facts: { activeRunId: waiting.runId },
    });
    const again = await retry(engine, first.runId);
    expect(await engine.view(waiting.runId)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    await engine.work();
    expect(await engine.view(again.runId)).toMatchObject({ status: 'completed' });
    for (const { runId } of [first, waiting, again]) expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('at once with a new message: one wins, and the other is told that the thread is busy', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('go');
    await engine.work();
    const outcomes = await Promise.allSettled([
      retry(engine, first.runId),
      engine.start('more', { threadId: first.threadId }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'thread_busy' },
    });
  });

  it('uses the newest version of the agent, or the very one of the run', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('go');
    await engine.work();
    engine.publish([]);
    const [older, newer] = engine.versions;
    const again = await retry(engine, first.runId);
    expect((await engine.record(again.runId)).run.agentVersionId).toBe(newer?.id);
    expect((await engine.events(again.messageId))[0]).toMatchObject({ type: 'run.started', agentVersion: 2 });
    await engine.work();
    const same = await retry(engine, first.runId, { agentVersion: 'same' });
    expect((await engine.record(same.runId)).run.agentVersionId).toBe(older?.id);
  });

  it('with one idempotency key is one run; the key with another request is refused', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('go', { idempotencyKey: 'key-0' });
    await engine.work();
    const again = await retry(engine, first.runId, { idempotencyKey: 'key-1' });
    expect(await retry(engine, first.runId, { idempotencyKey: 'key-1' })).toEqual(again);
    const reused = { code: 'idempotency_key_reused' };
    await expect(retry(engine, again.runId, { idempotencyKey: 'key-1' })).rejects.toMatchObject(reused);
    await expect(retry(engine, first.runId, { idempotencyKey: 'key-0' })).rejects.toMatchObject(reused);
  });

  it('of an unknown run, of another end user, or in a thread without its question is not found', async () => {
    const engine = startEngine({ model: echo });
    const { runId } = await engine.start('go');
    const other = await engine.start('elsewhere');
    await engine.work();
    const notFound = { code: 'not_found' };
    await expect(retry(engine, 'run_9999')).rejects.toMatchObject(notFound);
    const threadId = other.threadId as ThreadId;
    await expect(retry(engine, runId, { threadId })).rejects.toMatchObject(notFound);
    const request = {
      runId: runId as RunId,
      agentVersion: 'newest',
      threadId: null,
      onBusy: 'reject',
      idempotencyKey: null,
    } as const;
    const eve = { endUserId: 'user-2' as typeof engine.user };
    await expect(retryRun(engine.door, engine.tenant, eve, request)).rejects.toMatchObject(notFound);
  });

  it('leaves the old answer to go back to', async () => {
    const engine = startEngine({ model: echo });
    const first = await engine.start('go');
    await engine.work();
    await retry(engine, first.runId);
    await engine.work();
    const threadId = first.threadId as ThreadId;
    const messageId = first.messageId as Parameters<typeof moveHead>[3]['messageId'];
    const viewer = { endUserId: engine.user };
    await moveHead(engine.door, engine.tenant, viewer, { threadId, messageId, onBusy: 'reject' });
    await engine.start('more', { threadId });
    await engine.work();
    expect(said(engine)?.slice(-3)).toEqual(['go', 'go 1', 'more']);
  });
});
