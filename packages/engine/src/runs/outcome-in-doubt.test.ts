import type { ToolOutcome } from '@plinth/engine';
import type { Answer, ToolDefinition } from '@plinth/protocol';
import { aRemoteTool, aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const IN_DOUBT: ToolOutcome = {
  kind: 'unknown',
  error: { code: 'connection_lost', message: 'The connection broke.' },
};
const SHIP = aRemoteTool('ship', { onUnknown: 'ask' });

type Script = (engine: TestEngine) => ToolOutcome | Promise<ToolOutcome>;

/** A run whose tool was begun and brought no outcome, parked or at its end. */
async function doubtful(tool: ToolDefinition, script: Script = () => IN_DOUBT) {
  const engine = startEngine({
    tools: [tool],
    model: [{ calls: [{ name: tool.key, arguments: { n: 1 } }] }, { text: 'ok' }],
  });
  engine.tools.scripts[tool.key] = () => script(engine);
  const { runId } = await engine.start('go');
  await engine.work();
  const told = () => engine.model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool')[0]?.content;
  return { engine, runId, told };
}

const resolve = (outcome: (Answer & { type: 'resolve' })['outcome']): Answer => ({
  type: 'resolve',
  outcome,
});

describe('a call of which nobody knows whether it took effect, although its worker lives', () => {
  it.each([aServerTool('charge'), aRemoteTool('ship')])(
    'is told to the model as unknown, with the reason, and is not repeated ($executor.kind)',
    async (tool) => {
      const { engine, runId, told } = await doubtful(tool);
      expect(await engine.view(runId)).toMatchObject({
        status: 'completed',
        calls: [{ status: 'unknown', error: IN_DOUBT.error }],
      });
      expect(told()).toContain('"status":"unknown"');
      expect(told()).toContain('connection_lost');
      expect(engine.tools.effects).toHaveLength(1);
      expect(await engine.waits(runId)).toEqual([]);
      expect(await engine.brokenRules(runId)).toEqual([]);
    },
  );

  it('has failed when its tool may run twice', async () => {
    const { engine, runId } = await doubtful(aServerTool('look_up', { idempotent: true, onUnknown: 'ask' }));
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'failed' }] });
  });

  it('is a question to a person, when its tool says so; "it did not happen" carries it out', async () => {
    const charge = aServerTool('charge', { onUnknown: 'ask' });
    const { engine, runId } = await doubtful(charge);
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      calls: [{ status: 'started' }],
      interrupts: [{ kind: 'question', state: 'open', arguments: { n: 1 } }],
    });
    expect(engine.model.asked).toHaveLength(1);
    engine.tools.scripts = {};
    await engine.answer((await engine.wait(runId)).id, resolve('did_not_happen'));
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    expect(new Set(engine.tools.effects.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that is carried out again and is in doubt again, is asked about again', async () => {
    const { engine, runId } = await doubtful(aServerTool('charge', { onUnknown: 'ask' }));
    await engine.answer((await engine.wait(runId)).id, resolve('did_not_happen'));
    await engine.work();
    expect(await engine.wait(runId)).toMatchObject({ kind: 'question', state: 'open' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('of a job: its slot stays open beside the question, and its callback answers both', async () => {
    const { engine, runId, told } = await doubtful(SHIP);
    const waits = await engine.waits(runId);
    expect(waits.map(({ kind }) => kind)).toEqual(['callback', 'question']);
    await engine.callback(waits[0]?.id ?? '', 'shipped');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'succeeded' }],
      interrupts: [{ state: 'answered' }, { state: 'closed', closedWhy: 'settled' }],
    });
    expect(told()).toContain('shipped');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it.each(['ask', 'tell_model'] as const)(
    'of a job that called back before its dispatch was lost: the callback counts (%s)',
    async (onUnknown) => {
      const { engine, runId, told } = await doubtful(aRemoteTool('ship', { onUnknown }), async (own) => {
        await own.callback((await own.wait('run_0001')).id, 'shipped at once');
        return IN_DOUBT;
      });
      expect(await engine.view(runId)).toMatchObject({
        status: 'completed',
        calls: [{ status: 'succeeded' }],
      });
      expect(told()).toContain('shipped at once');
      expect(await engine.brokenRules(runId)).toEqual([]);
    },
  );

  it('sends the same next request with the snapshot present and deleted', async () => {
    const bodies = [];
    for (const drop of [false, true]) {
      const { engine, runId } = await doubtful(SHIP);
      if (drop) engine.store.clear();
      const question = (await engine.waits(runId)).find(({ kind }) => kind === 'question');
      await engine.answer(question?.id ?? '', resolve('happened'));
      await engine.work();
      bodies.push(engine.model.bodies.at(-1));
    }
    expect(bodies[1]).toBe(bodies[0]);
  });
});
