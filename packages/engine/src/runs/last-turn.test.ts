import { aComponentTool, aRemoteTool, aServerTool, type ModelLine, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const WORK = aServerTool('work');
const SAVE = aServerTool('save', { closing: true });
const HAND_OVER = aComponentTool('hand_over', { closing: true });
const DELIVER = aRemoteTool('deliver', { closing: true });
const TOOLS = [WORK, SAVE, HAND_OVER, DELIVER];
const ALLOWED = ['save', 'hand_over', 'deliver'];

const call = (name: string, n = 0) => ({ name, arguments: { n } });

/** A run of two turns: it works, and then says `last`. */
function twoTurns(last: ModelLine, tools = TOOLS) {
  return startEngine({
    tools,
    model: [{ calls: [call('work')] }, last],
    config: { budgets: { maxTurns: 2 } },
  });
}

describe('the last turn of a run', () => {
  it('offers closing tools only; one that succeeds ends the run, and the model is not asked again', async () => {
    const engine = twoTurns({ text: 'Saving.', calls: [call('save')] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', ALLOWED]);
    expect(engine.model.asked[1]?.announcement).toContain('Turn 2 of 2.');
    expect(engine.tools.of('save')).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      reason: 'final_answer',
      calls: [{ status: 'succeeded' }, { status: 'succeeded' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('refuses all other tools, whatever the model says, and carries out the closing one beside them', async () => {
    const engine = twoTurns({ calls: [call('work', 1), call('save'), call('made_up')] });
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.of('work')).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      reason: 'final_answer',
      calls: [
        { status: 'succeeded' },
        { status: 'failed', error: { code: 'not_offered' } },
        { status: 'succeeded' },
        { status: 'failed', error: { code: 'not_offered' } },
      ],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
    engine.model.script = [{ text: 'ok' }];
    const next = await engine.start('and now?', { threadId });
    await engine.work();
    expect(await engine.view(next.runId)).toMatchObject({ reason: 'final_answer' });
  });

  it('that has no closing tool offers none, and ends the run by name when the model calls one', async () => {
    const engine = twoTurns({ calls: [call('work', 1)] }, [WORK]);
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none']);
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_iterations' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it.each([
    ['a form that is submitted', 'hand_over', 'completed', 'final_answer'],
    ['a form that is declined', 'hand_over', 'failed', 'budget_iterations'],
    ['a job that calls back', 'deliver', 'completed', 'final_answer'],
    ['a job that never calls back', 'deliver', 'failed', 'budget_iterations'],
  ])('waits for %s, with its snapshot or without, and then ends', async (name, tool, status, reason) => {
    for (const drop of [false, true]) {
      const engine = twoTurns({ calls: [call(tool)] });
      const { runId } = await engine.start('go');
      await engine.work();
      const { id } = await engine.wait(runId);
      if (drop) engine.store.clear();
      if (name.includes('never')) {
        engine.clock.advance(DELIVER.waitTimeoutSeconds * 1000);
        await engine.sweep();
      } else if (tool === 'deliver') await engine.callback(id);
      else
        await engine.answer(
          id,
          name.includes('declined') ? { type: 'decline' } : { type: 'submit', value: 'to Ada' },
        );
      await engine.work();
      expect(await engine.view(runId)).toMatchObject({ status, reason });
      expect(engine.model.asked).toHaveLength(2);
      expect(await engine.brokenRules(runId)).toEqual([]);
    }
  });

  it('whose worker dies in the closing tool: it is not carried out again, and the run ends by name', async () => {
    const engine = twoTurns({ calls: [call('save')] });
    const first = engine.worker();
    engine.tools.scripts.save = () => {
      first.life.kill();
      return new Promise(() => {});
    };
    const { runId } = await engine.start('go');
    await engine.work(first);
    await engine.afterLease();
    await engine.work();
    expect(engine.tools.of('save')).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'budget_iterations',
      calls: [{}, { status: 'unknown' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is not the last any more when the tenant allows more turns while the closing tool waits', async () => {
    const engine = twoTurns({ calls: [call('hand_over')] });
    const { runId } = await engine.start('go');
    await engine.work();
    engine.config = { ...engine.config, budgets: { ...engine.config.budgets, maxTurns: 9 } };
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(engine.model.asked).toHaveLength(3);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
  });
});

describe('a run that has made its tool calls', () => {
  const busy = (last: ModelLine, tools = TOOLS) =>
    startEngine({
      tools,
      model: [{ calls: [call('work', 1), call('work', 2), call('work', 3)] }, last],
      config: { budgets: { maxToolCalls: 2 } },
    });

  it('those beyond are refused, and the next turn is the last, with closing tools', async () => {
    const engine = busy({ calls: [call('save')] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.of('work')).toHaveLength(2);
    expect(engine.model.asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', ALLOWED]);
    expect(engine.model.asked[1]?.announcement).toContain('The tool calls of this run are used up');
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      reason: 'final_answer',
      calls: [{}, {}, { status: 'failed', error: { code: 'tool_call_budget' } }, { status: 'succeeded' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('may still answer in words', async () => {
    const engine = busy({ text: 'So far I know this.' });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
  });

  it('is ended by name when the model calls more', async () => {
    const engine = busy({ calls: [call('work', 4)] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toHaveLength(2);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_tool_calls' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
