import { aCall, aComponentTool, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { repeatsTooOften, repetitionNotice, repetitionRefusal } from './repeated-calls.js';

const WORK = aServerTool('work');
const same = (count: number) =>
  Array.from({ length: count }, (_, turnIndex) => aCall({ tool: 'a', argumentsRaw: '{}', turnIndex }));

describe('the same call over and over', () => {
  it('the last that is carried out is noticed, the next refused, the one after it ends the run', () => {
    const calls = same(5);
    expect(calls.map((call) => repetitionNotice(call, calls, 3) !== null)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(calls.map((call) => repetitionRefusal(call, calls, 3)?.code)).toEqual([
      undefined,
      undefined,
      undefined,
      'repeated_call',
      'repeated_call',
    ]);
    expect([3, 4, 5].map((count) => repeatsTooOften(same(count), 3))).toEqual([false, false, true]);
  });

  it('a tool that may be called once is not noticed at its first call', () => {
    expect(repetitionNotice(same(1)[0] ?? aCall(), same(1), 1)).toBeNull();
  });

  it('other arguments or another tool are another call; the order of the rows says nothing', () => {
    const calls = [
      ...same(2),
      aCall({ tool: 'a', argumentsRaw: '{"n":1}' }),
      aCall({ tool: 'b', argumentsRaw: '{}' }),
    ].reverse();
    expect(calls.every((call) => repetitionRefusal(call, calls, 2) === null)).toBe(true);
  });
});

describe('a run whose model repeats itself', () => {
  const loop = (tool = WORK) =>
    startEngine({
      tools: [tool],
      model: () => ({ calls: [{ name: tool.key, arguments: { same: true } }] }),
      config: { budgets: { maxRepeatedCalls: 2 } },
    });
  const results = (engine: ReturnType<typeof loop>) =>
    (engine.model.asked.at(-1)?.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => JSON.parse(content ?? ''));

  it('reads a notice with the result, then a refusal, then is ended by name; what is refused has no effect', async () => {
    const engine = loop();
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toHaveLength(2);
    expect(results(engine)).toEqual([
      { result: { did: 'work' } },
      { notice: expect.stringContaining('2 times'), result: { result: { did: 'work' } } },
      expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({ code: 'repeated_call' }),
      }),
    ]);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_repetition' });
    expect((await engine.record(runId)).turns).toHaveLength(4);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a form that is shown again keeps what the person sent apart from the notice', async () => {
    const engine = loop(aComponentTool('form'));
    const { runId } = await engine.start('go');
    for (const value of [{ notice: 'mine' }, { notice: 'mine too' }]) {
      await engine.work();
      await engine.answer((await engine.wait(runId)).id, { type: 'submit', value });
    }
    await engine.work();
    expect(results(engine).slice(0, 2)).toEqual([
      { notice: 'mine' },
      { notice: expect.stringContaining('2 times'), result: { notice: 'mine too' } },
    ]);
    expect(await engine.view(runId)).toMatchObject({ reason: 'budget_repetition' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a failing call is noticed as well', async () => {
    const engine = loop();
    engine.tools.scripts.work = () => ({
      kind: 'failed',
      error: { code: 'no_paper', message: 'Out of A3.' },
    });
    await engine.start('go');
    await engine.work();
    expect(results(engine)[1]).toMatchObject({
      notice: expect.any(String),
      result: { status: 'failed', error: { code: 'no_paper' } },
    });
  });

  it('that changes its mind after the refusal goes on', async () => {
    const engine = startEngine({
      tools: [WORK],
      model: ({ messages }) =>
        messages.some(({ content }) => content?.includes('repeated_call'))
          ? { text: 'I have it already.' }
          : { calls: [{ name: 'work', arguments: {} }] },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects).toHaveLength(3);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
  });
});
