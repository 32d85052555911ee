import { aComponentTool, aServerTool, idle, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const OTHER_FORM = aComponentTool('other_form');

const call = (name: string, values = {}) => ({ name, arguments: values });

/** A promise that a test resolves. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('expiry', () => {
  it('a wait whose time passes ends its call as expired; the model hears it, a late answer is refused', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form', { waitTimeoutSeconds: 60 })],
      model: [{ calls: [call('form')] }, { text: 'ok' }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    const { id } = await engine.wait(runId);
    engine.clock.advance(59_999);
    await engine.sweep();
    expect(await engine.waits(runId)).toHaveLength(1);
    engine.clock.advance(1);
    await engine.sweep();
    await expect(engine.answer(id, { type: 'submit', value: 1 })).rejects.toMatchObject({
      code: 'interrupt_closed',
      facts: { why: 'expired' },
    });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'expired' }] });
    expect(engine.model.asked.at(-1)?.messages.at(-1)?.content).toContain('"status":"expired"');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a wait that expires while another call still runs is not lost: the run does not park for ever', async () => {
    const { opened, open } = gate();
    const engine = startEngine({
      tools: [aComponentTool('form', { waitTimeoutSeconds: 1 }), aServerTool('slow', { timeoutMs: 600_000 })],
      model: [{ calls: [call('form'), call('slow')] }, { text: 'ok' }],
    });
    engine.tools.scripts.slow = async () => {
      await opened;
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    engine.clock.advance(2_000);
    await engine.sweep();
    open();
    await working;
    expect(await engine.brokenRules(runId)).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'expired' }, { status: 'succeeded' }],
    });
  });

  it('of two waits one expires: the run parks again for the other', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form', { waitTimeoutSeconds: 1 }), OTHER_FORM],
      model: [{ calls: [call('form'), call('other_form')] }, { text: 'ok' }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(1_000);
    await engine.sweep();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      calls: [{ status: 'expired' }, { status: 'started' }],
    });
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
