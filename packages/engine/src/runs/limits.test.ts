import { aComponentTool, aRemoteTool, aServerTool, idle, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const WORK = aServerTool('work');
const FORM = aComponentTool('form');

describe('a run that comes to its limits', () => {
  it('is offered no tools in its last turn, and closes with words', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: ({ toolChoice, messages }) =>
        toolChoice === 'none'
          ? { text: 'That is all.' }
          : { calls: [{ name: 'work', arguments: { n: messages.length } }] },
      config: { budgets: { maxTurns: 3 } },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
  });

  it('whatever the model says in its last turn, no tool runs: the run ends by name', async () => {
    const engine = startEngine({
      tools: [WORK, FORM],
      model: ({ messages }) => ({
        calls: [
          { name: 'work', arguments: { n: messages.length } },
          { name: 'form', arguments: '{}' },
        ],
      }),
      config: { budgets: { maxTurns: 1 } },
    });
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'budget_iterations',
      interrupts: [],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
    engine.model.script = [{ text: 'ok' }];
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.view(next.runId)).toMatchObject({ status: 'completed' });
  });

  it('whose time has passed while it waited ends by name after the answer', async () => {
    const engine = startEngine({
      tools: [FORM],
      model: [{ calls: [{ name: 'form', arguments: {} }] }],
      config: { budgets: { maxRunSeconds: 60 } },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(61_000);
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_time' });
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('whose time passes while it waits is ended where it stands: its waits close, its job is told', async () => {
    const engine = startEngine({
      tools: [FORM, aRemoteTool('draw')],
      model: [
        {
          calls: [
            { name: 'form', arguments: {} },
            { name: 'draw', arguments: {} },
          ],
        },
      ],
      config: { budgets: { maxRunSeconds: 60 } },
    });
    const { runId, messageId, threadId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(59_999);
    await engine.sweep();
    expect(await engine.view(runId)).toMatchObject({ status: 'interrupted' });
    engine.clock.advance(1);
    await Promise.all([engine.sweep(), engine.sweep()]);
    await idle();
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'budget_time',
      calls: [{ status: 'cancelled' }, { status: 'cancelled' }],
      interrupts: [{ state: 'closed' }, { state: 'closed' }],
    });
    expect((await engine.events(messageId)).filter(({ type }) => type === 'run.finished')).toHaveLength(1);
    expect(engine.tools.cancellations).toMatchObject([{ reason: 'expired' }]);
    expect(engine.observer.endings).toEqual(['budget_time']);
    expect(engine.observer.problems).toEqual([]);
    expect(await engine.brokenRules(runId)).toEqual([]);

    engine.model.script = [{ text: 'ok' }];
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.view(next.runId)).toMatchObject({ status: 'completed' });
  });

  it('keeps the time that it was given at its start, whatever the tenant sets later', async () => {
    const engine = startEngine({
      tools: [FORM],
      model: [{ calls: [{ name: 'form', arguments: {} }] }, { text: 'ok' }],
      config: { budgets: { maxRunSeconds: 60 } },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    engine.config = { ...engine.config, budgets: { ...engine.config.budgets, maxRunSeconds: 10 } };
    engine.clock.advance(30_000);
    await engine.sweep();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ reason: 'final_answer' });
  });

  it('that works when its time passes is left to its worker', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: [{ calls: [{ name: 'work', arguments: {} }] }],
      config: { budgets: { maxRunSeconds: 60 } },
    });
    engine.tools.scripts.work = async () => {
      engine.clock.advance(60_000);
      await engine.sweep();
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'budget_time',
      calls: [{ status: 'succeeded' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('runs at most as many tools at once as the tenant allows, and exclusive ones alone', async () => {
    let now = 0;
    let most = 0;
    const alone: number[] = [];
    const engine = startEngine({
      tools: [WORK, aServerTool('exclusive', { concurrency: 'exclusive' })],
      model: [
        {
          calls: [
            ...Array.from({ length: 7 }, (_, n) => ({ name: 'work', arguments: { n } })),
            { name: 'exclusive', arguments: {} },
            { name: 'exclusive', arguments: { n: 2 } },
          ],
        },
        { text: 'ok' },
      ],
      config: { tools: { maxParallel: 3 } },
    });
    const busy = async () => {
      now += 1;
      most = Math.max(most, now);
      for (let time = 0; time < 10; time += 1) await Promise.resolve();
      now -= 1;
      return { kind: 'succeeded' as const, value: null, files: [] };
    };
    engine.tools.scripts = {
      work: busy,
      exclusive: async () => {
        alone.push(now);
        return busy();
      },
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(most).toBe(3);
    expect(alone).toEqual([0, 0]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a tool that takes longer than its time is timed out, whether or not it listens: nobody knows what it did', async () => {
    const engine = startEngine({
      tools: [aServerTool('work', { timeoutMs: 1_000 })],
      model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
    });
    engine.tools.scripts.work = () => new Promise(() => {});
    const { runId } = await engine.start('go');
    const working = engine.work();
    while (engine.tools.effects.length === 0) await Promise.resolve();
    engine.clock.advance(1_000);
    await idle();
    engine.clock.advance(500);
    await working;
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'unknown', error: { code: 'timed_out' } }],
    });
  });

  it('a tool that throws ends its call, not the run', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
    });
    engine.tools.scripts.work = () => {
      throw new Error('a bug in the tool');
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'unknown', error: { code: 'tool_crashed' } }],
    });
    expect(JSON.stringify(await engine.record(runId))).not.toContain('a bug in the tool');
  });
});
