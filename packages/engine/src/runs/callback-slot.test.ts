import { aComponentTool, aRemoteTool, interruptOf, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const FORM = aComponentTool('form');
const JOB = aRemoteTool('job');

const call = (name: string, values = {}) => ({ name, arguments: values });

describe('a call that ends leaves no wait behind', () => {
  it('a remote tool that answers at once: its callback closes, and a later one is refused', async () => {
    const engine = startEngine({
      tools: [JOB, FORM],
      model: [{ calls: [call('job'), call('form')] }, { text: 'ok' }],
    });
    engine.tools.scripts.job = () => ({ kind: 'succeeded', value: 'at once', files: [] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.brokenRules(runId)).toEqual([]);
    const job = (await engine.record(runId)).interrupts.find(({ kind }) => kind === 'callback');
    await expect(engine.callback(job?.id ?? '')).rejects.toMatchObject({ code: 'interrupt_closed' });
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a remote tool that answers at once and calls back too: the first result stands, and the run goes on', async () => {
    const engine = startEngine({
      tools: [JOB, FORM],
      model: [{ calls: [call('job'), call('form')] }, { text: 'ok' }],
    });
    engine.tools.scripts.job = async ({ callback }) => {
      await engine.callback(interruptOf(callback?.url ?? ''), 'by callback');
      return { kind: 'succeeded', value: 'at once', files: [] };
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'interrupted' });
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect((await engine.record(runId)).calls).toMatchObject([
      { resultText: expect.stringContaining('by callback') },
      {},
    ]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a job whose worker died before it was accepted: unknown, its callback closes, other waits stay', async () => {
    const engine = startEngine({
      tools: [JOB, FORM],
      model: [{ calls: [call('job'), call('form')] }, { text: 'ok' }],
    });
    const first = engine.worker();
    engine.tools.scripts.job = (_invocation, signal) => {
      first.life.kill();
      return untilAborted(signal);
    };
    const { runId } = await engine.start('go');
    await engine.work(first);
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      calls: [{ status: 'unknown' }, { status: 'started' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
