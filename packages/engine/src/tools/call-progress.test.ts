import { aServerTool, idle, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { ProgressReport, ToolOutcome } from './tool-executor.js';

/** A run whose one tool is under way: it reports when the test says so, and ends when it says so. */
async function toolUnderWay() {
  let report: (report: ProgressReport) => void = () => {};
  let finish: (outcome: ToolOutcome) => void = () => {};
  const outcome = new Promise<ToolOutcome>((resolve) => {
    finish = resolve;
  });
  const engine = startEngine({
    tools: [aServerTool('work')],
    model: [{ calls: [{ name: 'work', arguments: {} }] }, { text: 'ok' }],
    scripts: {
      work: (invocation) => {
        report = invocation.progress;
        return outcome;
      },
    },
  });
  const { runId, messageId } = await engine.start('go');
  const worker = engine.worker();
  const working = engine.work(worker);
  await idle();
  const shown = async () =>
    (await engine.events(messageId)).flatMap((event) =>
      event.type === 'tool.progress' ? [{ progress: event.progress, message: event.message }] : [],
    );
  return {
    engine,
    runId,
    messageId,
    shown,
    async report(progress: number | null, message: string | null = null) {
      report({ progress, message });
      await idle();
    },
    async finish() {
      finish({ kind: 'succeeded', value: 'done', files: [] });
      await working;
    },
  };
}

describe('the progress of a tool that runs in the worker', () => {
  it('is shown at once, and of many reports in a short time the last one is', async () => {
    const { engine, report, shown, finish } = await toolUnderWay();
    await report(0.1, 'begun');
    await report(0.2);
    await report(0.3, 'further');
    expect(await shown()).toEqual([{ progress: 0.1, message: 'begun' }]);
    engine.clock.advance(250);
    await idle();
    expect(await shown()).toEqual([
      { progress: 0.1, message: 'begun' },
      { progress: 0.3, message: 'further' },
    ]);
    await finish();
  });

  it('is within 0 and 1 whatever the tool says, and null when the whole is not known', async () => {
    const { engine, report, shown, finish } = await toolUnderWay();
    for (const value of [7, -1, Number.NaN, null]) {
      await report(value);
      engine.clock.advance(250);
      await idle();
    }
    expect((await shown()).map(({ progress }) => progress)).toEqual([1, 0, null, null]);
    await finish();
  });

  it('stops with the call: nothing of it comes after the result', async () => {
    const { engine, report, shown, finish, messageId, runId } = await toolUnderWay();
    await report(0.1);
    await report(0.9);
    await finish();
    await report(1);
    engine.clock.advance(1000);
    await idle();
    expect(await shown()).toHaveLength(1);
    expect((await engine.events(messageId)).at(-1)).toMatchObject({ type: 'run.finished' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is no failure of the call when the log cannot be written', async () => {
    const { engine, report, finish, runId } = await toolUnderWay();
    const { append } = engine.log;
    engine.log.append = () => Promise.reject(new Error('the log is away'));
    await report(0.5);
    engine.log.append = append;
    await finish();
    expect((await engine.record(runId)).calls).toMatchObject([{ status: 'succeeded' }]);
  });
});
