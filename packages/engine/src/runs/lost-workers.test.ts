import { aServerTool, idle, startEngine, type TestEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

/** Fewer than a run may lose in a row, and more than half of them. */
const LOSSES = 15;
const STEPS = ['one', 'two', 'three'];

/** Works on the run with workers that die while a tool of it is under way. */
async function loseWorkers(engine: TestEngine, runId: string, losses: number): Promise<void> {
  for (let loss = 0; loss < losses; loss += 1) {
    const before = engine.tools.effects.length;
    const worker = engine.worker();
    void engine.work(worker);
    await idle();
    expect(engine.tools.effects.length).toBeGreaterThan(before);
    worker.life.kill();
    await engine.afterLease();
  }
  expect(await engine.ended(runId)).toBe(false);
}

describe('workers that are lost', () => {
  it('count in a row only: each result of a call gives the run all of its attempts again', async () => {
    const tools = STEPS.map((key) => aServerTool(key, { idempotent: true, concurrency: 'exclusive' }));
    const calls = STEPS.map((name) => ({ name, arguments: {} }));
    const engine = startEngine({ tools, model: [{ calls }, { text: 'ok' }] });
    const { runId } = await engine.start('go');
    for (const step of STEPS) {
      engine.tools.scripts = { [step]: (_invocation, signal) => untilAborted(signal) };
      await loseWorkers(engine, runId, LOSSES);
    }
    engine.tools.scripts = {};
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
