import {
  aComponentTool,
  aRemoteTool,
  aServerTool,
  type EngineWorker,
  MemoryEventWriter,
  startEngine,
  type TestEngine,
  untilAborted,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const TOOLS = [
  aServerTool('look_up', { idempotent: true }),
  aServerTool('charge'),
  aServerTool('publish', { requireConfirmation: 'always', concurrency: 'exclusive' }),
  aRemoteTool('draw'),
  aRemoteTool('redraw', { idempotent: true }),
  aServerTool('refund', { onUnknown: 'ask' }),
  aRemoteTool('ship', { onUnknown: 'ask' }),
  aComponentTool('form'),
];

const call = (name: string) => ({ name, arguments: { of: name } });

function engineOfManyKinds(): TestEngine {
  return startEngine({
    tools: TOOLS,
    model: [
      { text: ['One ', 'moment.'], calls: [call('look_up'), call('charge'), call('refund'), call('form')] },
      {
        reasoning: 'Now the rest.',
        calls: [call('publish'), call('draw'), call('redraw'), call('ship'), call('unheard_of')],
      },
      { text: ['All ', 'is ', 'done.'] },
    ],
  });
}

const ANSWERS = {
  confirmation: { type: 'approve' },
  component: { type: 'submit', value: 1 },
  question: { type: 'resolve', outcome: 'did_not_happen' },
  frontend: { type: 'decline' },
} as const;

/** Works as a fleet would: whoever dies is replaced, whatever waits is answered. */
async function play(engine: TestEngine, runId: string, first: EngineWorker): Promise<void> {
  let worker = first;
  for (let round = 0; round < 60; round += 1) {
    await engine.work(worker);
    if (worker.life.dead) {
      worker = engine.worker();
      await engine.afterLease();
      continue;
    }
    if (await engine.ended(runId)) return;
    // The latest: of a lost job, the question about it.
    const wait = (await engine.waits(runId)).at(-1);
    if (!wait) throw new Error('the run neither ended nor waits');
    if (wait.kind === 'callback') await engine.callback(wait.id);
    else await engine.answer(wait.id, ANSWERS[wait.kind]);
  }
  throw new Error('the run does not end');
}

async function countWrites(): Promise<number> {
  const engine = engineOfManyKinds();
  const worker = engine.worker();
  const { runId } = await engine.start('go');
  await play(engine, runId, worker);
  expect(await engine.brokenRules(runId)).toEqual([]);
  return worker.life.written;
}

describe('a worker that dies', () => {
  it.each(['before', 'after'] as const)(
    '%s each of its writes: the run ends, nothing runs twice, the thread goes on',
    async (when) => {
      const writes = await countWrites();
      expect(writes).toBeGreaterThan(30);
      for (let at = 1; at <= writes; at += 1) {
        const engine = engineOfManyKinds();
        const worker = engine.worker();
        worker.life.dieAt(at, when);
        const { runId, threadId } = await engine.start('go');
        await play(engine, runId, worker);
        const name = `died ${when} write ${at}`;
        expect(worker.life.dead, name).toBe(true);
        expect(await engine.view(runId), name).toMatchObject({ status: 'completed', reason: 'final_answer' });
        expect(await engine.brokenRules(runId), name).toEqual([]);

        const next = await engine.start('and now?', { threadId });
        await play(engine, next.runId, engine.worker());
        expect(await engine.view(next.runId), name).toMatchObject({ status: 'completed' });
      }
    },
    60_000,
  );

  it('while the model streams: what was streamed is withdrawn before the new answer is', async () => {
    const engine = startEngine({
      model: (_asked, attempt) =>
        attempt === 1
          ? { text: ['Hel', 'lo wor'], then: () => new Promise(() => {}) }
          : { text: ['Good', 'bye'] },
    });
    const { runId, messageId } = await engine.start('go');
    const first = engine.worker();
    const working = engine.work(first);
    for (
      let round = 0;
      !(await engine.events(messageId)).some(({ type }) => type === 'text.delta') && round < 50;
      round += 1
    )
      await Promise.resolve();
    first.life.kill();
    await working;
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      parts: [{ type: 'text', text: 'Goodbye' }],
    });
    const types = (await engine.events(messageId)).map(({ type }) => type);
    expect(types.indexOf('message.reset')).toBeLessThan(types.lastIndexOf('turn.started'));
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('while the first of several tools runs: the others have not begun, and run once by the next worker', async () => {
    const tools = [aServerTool('charge'), aServerTool('publish', { concurrency: 'exclusive' })];
    const engine = startEngine({
      tools,
      model: [{ calls: [call('charge'), call('charge'), call('publish')] }, { text: 'ok' }],
      config: { tools: { maxParallel: 1 } },
    });
    const first = engine.worker();
    engine.tools.scripts.charge = () => {
      first.life.kill();
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId } = await engine.start('go');
    await engine.work(first);
    engine.tools.scripts = {};
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'unknown' }, { status: 'succeeded' }, { status: 'succeeded' }],
    });
    expect(engine.tools.effects).toHaveLength(3);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('right after it took over a parked run: readers still hear that the run goes on', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form')],
      model: [{ calls: [call('form')] }, { text: 'ok' }],
    });
    const { runId, messageId } = await engine.start('go');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    const second = engine.worker();
    second.life.dieAt(1, 'after');
    await engine.work(second);
    await engine.afterLease();
    await engine.work();
    expect((await engine.events(messageId)).map(({ type }) => type)).toContain('run.resumed');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('and comes back late can stream nothing more, from the moment that another one has the run', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId } = await engine.start('go');
    const first = engine.worker();
    first.life.dieAt(2, 'after');
    await engine.work(first);
    await engine.afterLease();
    const second = engine.worker();
    second.life.dieAt(2, 'after');
    await engine.work(second);
    const { run } = await engine.record(runId);
    const stream = { kind: 'message', id: run.messageId } as const;
    const late = new MemoryEventWriter(engine.log, engine.ledger);
    expect(await late.delta(engine.tenant, stream, run.fence - 1, '{}')).toBe('fenced');
    expect(await late.delta(engine.tenant, stream, run.fence, '{}')).toBe('appended');
  });

  it('and comes back late: what one tool finds out about the lost lease aborts the others', async () => {
    const tools = [aServerTool('quick'), aServerTool('slow')];
    const engine = startEngine({ tools, model: [{ calls: [call('quick'), call('slow')] }, { text: 'ok' }] });
    let goOn: () => void = () => {};
    let aborted = 0;
    engine.tools.scripts = {
      quick: () =>
        new Promise((resolve) => {
          goOn = () => resolve({ kind: 'succeeded', value: 'late', files: [] });
        }),
      slow: (_invocation, signal) => untilAborted(signal).finally(() => (aborted += 1)),
    };
    await engine.start('go');
    const renewLease = () => new Promise(() => {});
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, { renewLease });
    const working = engine.work(engine.worker({ ledger }));
    while (engine.tools.effects.length < 2) await Promise.resolve();
    await engine.afterLease();
    await engine.work();
    goOn();
    await working;
    expect(aborted).toBe(1);
  });

  it.each(['works', 'waits', 'has ended'] as const)(
    'and comes back late while the run %s finds its lease lost, and writes nothing more',
    async (now) => {
      const tools = [aServerTool('slow'), aComponentTool('form')];
      const engine = startEngine({
        tools,
        model: [{ calls: [call('slow'), ...(now === 'waits' ? [call('form')] : [])] }, { text: 'ok' }],
      });
      let goOn: () => void = () => {};
      engine.tools.scripts.slow = () =>
        new Promise((resolve) => {
          goOn = () => resolve({ kind: 'succeeded', value: 'late', files: [] });
        });
      const { runId } = await engine.start('go');
      const renewLease = async () => {
        throw new Error('the database is away for this process');
      };
      const paused = engine.worker({
        ledger: Object.assign(Object.create(engine.ledger) as typeof engine.ledger, { renewLease }),
      });
      const working = engine.work(paused);
      while (engine.tools.effects.length === 0) await Promise.resolve();
      await engine.afterLease();
      const second = engine.worker();
      if (now === 'works') second.life.dieAt(5, 'after');
      await engine.work(second);
      expect((await engine.view(runId)).status).toBe(
        { works: 'running', waits: 'interrupted', 'has ended': 'completed' }[now],
      );
      const before = await engine.record(runId);
      goOn();
      await working;
      expect(await engine.record(runId)).toEqual(before);
      expect(engine.observer.problems).toEqual([]);
    },
  );
});
