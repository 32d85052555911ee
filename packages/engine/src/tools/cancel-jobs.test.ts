import { aComponentTool, aRemoteTool, aServerTool, idle, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const DRAW = aRemoteTool('draw', { waitTimeoutSeconds: 60 });
const FORM = aComponentTool('form');
const PAY = aServerTool('pay', { requireConfirmation: 'always' });

const call = (name: string) => ({ name, arguments: {} });

/** A run that waits for a job, a form and an approval. */
async function waiting() {
  const engine = startEngine({
    tools: [DRAW, FORM, PAY],
    model: [{ calls: [call('draw'), call('form'), call('pay')] }, { text: 'ok' }],
  });
  const run = await engine.start('go');
  await engine.work();
  const told = async () => {
    await idle();
    return engine.tools.cancellations.map(({ idempotencyKey, reason, tool }) => [
      tool.key,
      idempotencyKey,
      reason,
    ]);
  };
  const waitOf = async (kind: string) =>
    (await engine.waits(run.runId)).find((wait) => wait.kind === kind)?.id ?? '';
  return { engine, ...run, told, waitOf, key: engine.tools.of('draw')[0]?.idempotencyKey };
}

describe('a job that nobody waits for any more', () => {
  it('is told of a cancel, once, after the run has ended; nothing else is told', async () => {
    const { engine, runId, told, key } = await waiting();
    engine.tools.cancel = async function (_tenant, cancellation) {
      expect(await engine.ended(runId)).toBe(true);
      this.cancellations.push(cancellation);
    };
    await engine.cancel(runId);
    await engine.cancel(runId);
    expect(await told()).toEqual([['draw', key, 'cancelled']]);
  });

  it('is told when a new message supersedes its run', async () => {
    const { engine, threadId, told, key } = await waiting();
    await engine.start('something else', { threadId });
    expect(await told()).toEqual([['draw', key, 'superseded']]);
  });

  it('is told when its own time passes, and the run goes on', async () => {
    const { engine, runId, told, key } = await waiting();
    engine.clock.advance(60_000);
    await engine.sweep();
    await engine.work();
    expect(await told()).toEqual([['draw', key, 'expired']]);
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      calls: [{ status: 'expired' }, {}, {}],
    });
    await engine.cancel(runId);
    expect(await told()).toHaveLength(1);
  });

  it('is told when its run ends for another reason', async () => {
    const { engine, runId, told, key, waitOf } = await waiting();
    engine.config = { ...engine.config, budgets: { ...engine.config.budgets, maxRepeatedCalls: -1 } };
    await engine.answer(await waitOf('component'), { type: 'submit', value: 1 });
    await engine.work();
    expect((await engine.view(runId)).reason).toBe('budget_repetition');
    expect(await told()).toEqual([['draw', key, 'run_ended']]);
  });

  it('a job that has called back is not told, also when nobody has read its result yet', async () => {
    const { engine, runId, told, waitOf } = await waiting();
    await engine.callback(await waitOf('callback'));
    await engine.cancel(runId);
    expect(await told()).toEqual([]);
  });

  it('a dispatch that a cancel cuts off may have arrived: it is told', async () => {
    const engine = startEngine({ tools: [DRAW], model: [{ calls: [call('draw')] }] });
    engine.tools.scripts.draw = (_invocation, signal) => untilAborted(signal);
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    await idle();
    expect(engine.tools.cancellations).toMatchObject([{ reason: 'cancelled' }]);
  });

  it('a service that never answers does not hold the cancel up', async () => {
    const { engine, runId } = await waiting();
    engine.tools.cancel = () => new Promise(() => {});
    await engine.cancel(runId);
    expect((await engine.view(runId)).status).toBe('cancelled');
  });

  it('a service that cannot be told is reported, and the run has ended all the same', async () => {
    const { engine, runId } = await waiting();
    engine.tools.cancel = async () => {
      throw new Error('no way there');
    };
    await engine.cancel(runId);
    await idle();
    expect((await engine.view(runId)).status).toBe('cancelled');
    expect(engine.observer.problems.map(({ doing }) => doing)).toEqual(['cancel the job of draw']);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
