import { aComponentTool, aRemoteTool, idle, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const FORM = aComponentTool('form');
const call = (name: string) => ({ name, arguments: {} });

describe('a new message while a run is active', () => {
  it('closes a waiting run as superseded; the new turn succeeds and knows of it; the late answer is refused', async () => {
    const engine = startEngine({
      tools: [FORM, aRemoteTool('job')],
      model: ({ messages }) =>
        messages.filter(({ role }) => role === 'user').length > 1
          ? { text: 'ok' }
          : { text: 'Please fill', calls: [call('form'), call('job')] },
    });
    const first = await engine.start('go');
    await engine.work();
    const [form, job] = await engine.waits(first.runId);
    const second = await engine.start('forget it', { threadId: first.threadId });
    expect(await engine.view(first.runId)).toMatchObject({
      status: 'cancelled',
      reason: 'superseded',
      calls: [{ status: 'superseded' }, { status: 'superseded' }],
      interrupts: [
        { state: 'closed', closedWhy: 'superseded' },
        { state: 'closed', closedWhy: 'superseded' },
      ],
    });
    await expect(engine.answer(form?.id ?? '', { type: 'submit', value: 1 })).rejects.toMatchObject({
      code: 'interrupt_closed',
      facts: { why: 'superseded' },
    });
    await expect(engine.callback(job?.id ?? '')).rejects.toMatchObject({ code: 'interrupt_closed' });
    await engine.work();
    expect(await engine.view(second.runId)).toMatchObject({ status: 'completed' });
    const told = engine.model.asked
      .at(-1)
      ?.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(told).toEqual([expect.stringContaining('superseded'), expect.stringContaining('superseded')]);
    expect(engine.observer.endings).toEqual(['superseded', 'final_answer']);
    expect((await engine.events(first.messageId)).at(-1)).toMatchObject({
      type: 'run.finished',
      reason: 'superseded',
    });
    for (const { runId } of [first, second]) expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is refused while the run works, or when it was answered and not yet resumed', async () => {
    const engine = startEngine({
      tools: [FORM],
      model: [{ calls: [call('form')] }, { text: 'Hm', then: untilAborted }],
    });
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await expect(engine.start('again', { threadId })).rejects.toMatchObject({
      code: 'thread_busy',
      facts: { activeRunId: runId },
    });
    const working = engine.work();
    await idle();
    await expect(engine.start('again', { threadId })).rejects.toMatchObject({ code: 'thread_busy' });
    await engine.cancel(runId);
    await working;
    await expect(engine.start('again', { threadId })).resolves.toMatchObject({ threadId });
  });

  it('is refused while the run only waits, when the caller asks for that', async () => {
    const engine = startEngine({ tools: [FORM], model: [{ calls: [call('form')] }] });
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    await expect(engine.start('again', { threadId, onBusy: 'reject' })).rejects.toMatchObject({
      code: 'thread_busy',
    });
    expect(await engine.waits(runId)).toHaveLength(1);
  });
});

describe('starting a run twice', () => {
  it('with one idempotency key is one run; the key with another request is refused', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const first = await engine.start('go', { idempotencyKey: 'key-1' });
    await engine.work();
    expect(await engine.start('go', { idempotencyKey: 'key-1' })).toEqual(first);
    await engine.work();
    expect(engine.model.asked).toHaveLength(1);
    await expect(engine.start('something else', { idempotencyKey: 'key-1' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    const other = await engine.start('go', {
      idempotencyKey: 'key-1',
      endUserId: 'user-2' as typeof engine.user,
    });
    expect(other.runId).not.toBe(first.runId);
  });

  it('an unknown agent or thread, or the thread of another end user, is not found', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    await expect(engine.start('go', { threadId: 'thr_9999' })).rejects.toMatchObject({ code: 'not_found' });
    const { threadId } = await engine.start('go');
    await expect(
      engine.start('go', { threadId, endUserId: 'user-2' as typeof engine.user }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
