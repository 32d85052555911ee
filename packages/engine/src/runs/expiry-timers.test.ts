import {
  aComponentTool,
  aFrontendTool,
  aRemoteTool,
  aServerTool,
  idle,
  startEngine,
  type TestEngine,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { expireInterrupt } from '../interrupts/expire-interrupt.js';
import { expireRun } from './expire-run.js';
import { withExpiryTimers } from './expiry-timers.js';

const FORM = aComponentTool('form', { waitTimeoutSeconds: 60 });

function timedEngine(...names: string[]): TestEngine {
  const engine = startEngine({
    tools: [
      FORM,
      aRemoteTool('draw', { waitTimeoutSeconds: 120 }),
      aServerTool('work'),
      aFrontendTool('edit', { recovery: 'fail', claimTimeoutSeconds: 60, leaseSeconds: 20 }),
    ],
    model: [{ calls: names.map((name) => ({ name, arguments: {} })) }, { text: 'ok' }],
    config: { budgets: { maxRunSeconds: 3600 } },
  });
  const onError = (error: unknown) => engine.observer.problems.push({ doing: 'set a timer', error });
  Object.assign(engine.door, { ledger: withExpiryTimers(engine.ledger, engine.scheduler, onError) });
  return engine;
}

/** Lets the timers fire that are due, as a worker does. */
async function fire(engine: TestEngine): Promise<void> {
  for (const { tenant, what } of engine.scheduler.takeExpired(engine.clock.now()))
    await (what.kind === 'run'
      ? expireRun(engine.door, tenant, what.id)
      : expireInterrupt(engine.door, tenant, what.id));
}
const timers = (engine: TestEngine) =>
  engine.scheduler.expiries.map(({ what, at }) => [what.kind, (at - engine.clock.now()) / 1000]);

describe('timers', () => {
  it('stand for every open wait, at the time in the ledger', async () => {
    const engine = timedEngine('form', 'draw');
    const { runId } = await engine.start('go');
    expect(timers(engine)).toEqual([]);
    await engine.work();
    expect(timers(engine)).toEqual([
      ['interrupt', 60],
      ['interrupt', 120],
    ]);
    const { interrupts } = await engine.record(runId);
    expect(new Set(engine.scheduler.expiries.map(({ what }) => what.id))).toEqual(
      new Set(interrupts.map(({ id }) => id)),
    );
  });

  it('move with the lease of a page, and one that fires by an old time closes nothing', async () => {
    const engine = timedEngine('edit');
    const { runId } = await engine.start('go');
    await engine.work();
    expect(timers(engine)).toEqual([['interrupt', 60]]);
    const { id } = await engine.wait(runId);
    await engine.lease(id);
    await idle();
    expect(timers(engine)).toEqual([['interrupt', 20]]);
    engine.clock.advance(15_000);
    await engine.lease(id);
    await idle();
    expect(timers(engine)).toEqual([['interrupt', 20]]);
    await expireInterrupt(engine.door, engine.tenant, id);
    expect(await engine.waits(runId)).toHaveLength(1);
    engine.clock.advance(20_000);
    await fire(engine);
    await engine.work();
    expect((await engine.view(runId)).calls).toMatchObject([{ status: 'unknown' }]);
  });

  it('stand for a parked run when its own time is over before that of its waits', async () => {
    const engine = timedEngine('form', 'draw');
    engine.config = { ...engine.config, budgets: { ...engine.config.budgets, maxRunSeconds: 90 } };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(timers(engine).map(([kind]) => kind)).toEqual(['interrupt', 'interrupt']);
    engine.clock.advance(60_000);
    await fire(engine);
    await engine.work();
    expect(timers(engine)).toEqual([
      ['run', 30],
      ['interrupt', 60],
    ]);
    engine.clock.advance(30_000);
    await fire(engine);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_time' });
    expect(timers(engine)).toEqual([]);
  });

  it('a run that never waits has none', async () => {
    const engine = timedEngine('work');
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.ended(runId)).toBe(true);
    expect(timers(engine)).toEqual([]);
  });

  it('an answer takes that of its wait away, the end of the run the rest', async () => {
    const engine = timedEngine('form', 'draw');
    const { runId } = await engine.start('go');
    await engine.work();
    const [form, draw] = await engine.waits(runId);
    await engine.answer(form?.id ?? '', { type: 'submit', value: 1 });
    expect(timers(engine)).toEqual([['interrupt', 120]]);
    await engine.callback(draw?.id ?? '');
    await engine.work();
    expect(await engine.ended(runId)).toBe(true);
    expect(timers(engine)).toEqual([]);
  });

  it.each(['cancel', 'supersede'] as const)('%s of a parked run takes all of them away', async (how) => {
    const engine = timedEngine('form', 'draw');
    const { runId, threadId } = await engine.start('go');
    await engine.work();
    if (how === 'cancel') await engine.cancel(runId);
    else await engine.start('something else', { threadId });
    expect(await engine.ended(runId)).toBe(true);
    expect(timers(engine)).toEqual([]);
  });

  it('closes a wait when its time has come, without a sweep, and the run goes on', async () => {
    const engine = timedEngine('form');
    const { runId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(60_000);
    await fire(engine);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'expired' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('ends a parked run when its time has come, without a sweep', async () => {
    const engine = timedEngine('form');
    engine.config = { ...engine.config, budgets: { ...engine.config.budgets, maxRunSeconds: 10 } };
    const { runId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(10_000);
    await fire(engine);
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'budget_time' });
    expect(timers(engine)).toEqual([]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that fires too early, twice, or after an answer does nothing', async () => {
    const engine = timedEngine('form');
    const { runId } = await engine.start('go');
    await engine.work();
    const { id } = await engine.wait(runId);
    await expireInterrupt(engine.door, engine.tenant, id);
    await expireRun(engine.door, engine.tenant, (await engine.record(runId)).run.id);
    expect(await engine.waits(runId)).toHaveLength(1);
    await engine.answer(id, { type: 'submit', value: 1 });
    engine.clock.advance(60_000);
    await expireInterrupt(engine.door, engine.tenant, id);
    await expireInterrupt(engine.door, engine.tenant, 'int_none' as typeof id);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ calls: [{ status: 'succeeded' }] });
    expect(engine.observer.problems).toEqual([]);
  });

  it('that cannot be set are reported, and hold nothing up', async () => {
    const engine = timedEngine('form');
    engine.scheduler.expireAt = async () => {
      throw new Error('the queue is away');
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'interrupted' });
    expect(engine.observer.problems).toMatchObject([{ doing: 'set a timer' }]);
  });
});
