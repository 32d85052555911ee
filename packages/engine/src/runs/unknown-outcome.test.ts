import type { Answer, ToolDefinition } from '@plinth/protocol';
import {
  aComponentTool,
  aRemoteTool,
  aServerTool,
  interruptOf,
  startEngine,
  untilAborted,
} from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const CHARGE = aServerTool('charge', { onUnknown: 'ask' });
const SHIP = aRemoteTool('ship', { onUnknown: 'ask', waitTimeoutSeconds: 60 });
const FORM = aComponentTool('form');

const resolve = (outcome: (Answer & { type: 'resolve' })['outcome'], note?: string): Answer => ({
  type: 'resolve',
  outcome,
  ...(note === undefined ? {} : { note }),
});

/** A run whose worker died while the tool was under way, taken over by another one: it is parked on the question. */
async function lost(tool: ToolDefinition, besides: ToolDefinition[] = []) {
  const names = [tool, ...besides].map(({ key }) => key);
  const engine = startEngine({
    tools: [tool, ...besides],
    model: [{ calls: names.map((name) => ({ name, arguments: { of: name } })) }, { text: 'ok' }],
  });
  const first = engine.worker();
  engine.tools.scripts[tool.key] = (_invocation, signal) => {
    first.life.kill();
    return untilAborted(signal);
  };
  const { runId, messageId } = await engine.start('go');
  await engine.work(first);
  engine.tools.scripts = {};
  await engine.afterLease();
  await engine.work();
  const waitOf = async (kind: 'question' | 'callback') => {
    const found = (await engine.waits(runId)).find((wait) => wait.kind === kind);
    if (!found) throw new Error(`no ${kind} is open`);
    return found;
  };
  const told = () => engine.model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool')[0]?.content;
  return { engine, runId, messageId, waitOf, told };
}

describe('a tool that may or may not have taken effect, when a person is to be asked', () => {
  it('the run parks on a question that shows the arguments; nothing runs, and the model hears nothing', async () => {
    const { engine, runId } = await lost(CHARGE);
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      calls: [{ status: 'started' }],
      interrupts: [{ kind: 'question', state: 'open', arguments: { of: 'charge' } }],
    });
    expect(engine.tools.effects).toHaveLength(1);
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('it happened: the call has succeeded, the model reads that a person confirmed it, nothing runs again', async () => {
    const { engine, runId, waitOf, told } = await lost(CHARGE);
    await engine.answer((await waitOf('question')).id, resolve('happened', 'seen on the statement'));
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'succeeded', summary: 'seen on the statement' }],
    });
    expect(told()).toContain('A person has confirmed that this took effect');
    expect(told()).toContain('"note":"seen on the statement"');
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('it did not happen: the call is carried out with a receipt of its own, and the same idempotency key', async () => {
    const { engine, runId, waitOf, told } = await lost(CHARGE);
    const [before] = (await engine.record(runId)).calls;
    await engine.answer((await waitOf('question')).id, resolve('did_not_happen'));
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    const [after] = (await engine.record(runId)).calls;
    expect(after?.startedFence).toBeGreaterThan(before?.startedFence ?? 0);
    expect(engine.tools.effects.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      before?.id,
      before?.id,
    ]);
    expect(told()).toContain('"did":"charge"');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('it did not happen, and the next worker dies in the middle as well: the person is asked again', async () => {
    const { engine, runId, waitOf } = await lost(CHARGE);
    const second = engine.worker();
    engine.tools.scripts.charge = (_invocation, signal) => {
      second.life.kill();
      return untilAborted(signal);
    };
    await engine.answer((await waitOf('question')).id, resolve('did_not_happen'));
    await engine.work(second);
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'interrupted',
      interrupts: [{ state: 'answered' }, { kind: 'question', state: 'open' }],
    });
    expect(engine.tools.effects).toHaveLength(2);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it.each([
    ['nobody knows', resolve('unknown', 'the bank is closed'), 'the bank is closed'],
    ['nobody says', null, 'Nobody said in time'],
  ])('%s: the model is told that the outcome is unknown', async (_name, answer, text) => {
    const { engine, runId, waitOf, told } = await lost(CHARGE);
    if (answer) await engine.answer((await waitOf('question')).id, answer);
    else {
      engine.clock.advance(CHARGE.waitTimeoutSeconds * 1000);
      await engine.sweep();
    }
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'unknown' }] });
    expect(told()).toContain('"status":"unknown"');
    expect(told()).toContain(text);
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('takes no other answer than what a person knows of it', async () => {
    const { engine, runId, waitOf } = await lost(CHARGE);
    const { id } = await waitOf('question');
    for (const answer of [{ type: 'approve' }, { type: 'submit', value: 1 }, { type: 'decline' }] as const)
      await expect(engine.answer(id, answer)).rejects.toMatchObject({ code: 'answer_invalid' });
    expect(await engine.waits(runId)).toHaveLength(1);
  });

  it('a run that is cancelled while it asks: question and slot close, the call stays unknown', async () => {
    const { engine, runId } = await lost(SHIP);
    await engine.cancel(runId);
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      calls: [{ status: 'unknown' }],
      interrupts: [{ closedWhy: 'cancelled' }, { closedWhy: 'cancelled' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('sends the same next request with the snapshot present and deleted', async () => {
    const bodies = [];
    for (const drop of [false, true]) {
      const { engine, waitOf } = await lost(CHARGE, [FORM]);
      await engine.answer((await waitOf('question')).id, resolve('happened'));
      if (drop) engine.store.clear();
      await engine.work();
      const form = (await engine.waits('run_0001'))[0];
      if (drop) engine.store.clear();
      await engine.answer(form?.id ?? '', { type: 'submit', value: 1 });
      await engine.work();
      bodies.push(engine.model.bodies.at(-1));
    }
    expect(bodies[1]).toBe(bodies[0]);
  });
});

describe('a job whose dispatch was lost, when a person is asked about it', () => {
  it('its callback answers instead: the result counts, the question closes, a late answer is refused', async () => {
    const { engine, runId, waitOf, told } = await lost(SHIP);
    const question = await waitOf('question');
    await engine.callback((await waitOf('callback')).id, 'shipped');
    await expect(engine.answer(question.id, resolve('did_not_happen'))).rejects.toMatchObject({
      code: 'interrupt_closed',
      facts: { why: 'settled' },
    });
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'succeeded' }],
      interrupts: [{ state: 'answered' }, { state: 'closed', closedWhy: 'settled' }],
    });
    expect(told()).toContain('shipped');
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a callback that comes while a worker goes on with something else closes the question once', async () => {
    const { engine, runId, waitOf } = await lost(SHIP, [FORM]);
    const form = (await engine.waits(runId)).find(({ kind }) => kind === 'component');
    const callback = await waitOf('callback');
    await engine.answer(form?.id ?? '', { type: 'submit', value: 1 });
    let late: string | null = callback.id;
    const transact = engine.ledger.transact.bind(engine.ledger);
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, {
      transact: async (...parts: Parameters<typeof transact>) => {
        const id = late;
        late = null;
        if (id !== null) await engine.callback(id, 'shipped');
        return transact(...parts);
      },
    });
    await engine.work(engine.worker({ ledger }));
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'succeeded' }, {}],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('it did not happen: the job is sent again to the same slot, so that either callback answers', async () => {
    const { engine, runId, waitOf } = await lost(SHIP);
    await engine.answer((await waitOf('question')).id, resolve('did_not_happen'));
    await engine.work();
    const [first, second] = engine.tools.of('ship');
    expect(second).toMatchObject({ idempotencyKey: first?.idempotencyKey, callback: first?.callback });
    const slot = await engine.wait(runId);
    expect(interruptOf(second?.callback?.url ?? '')).toBe(slot.id);
    await engine.callback(slot.id, 'shipped');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a callback that comes right after "it did not happen" keeps the job from being sent again', async () => {
    const { engine, runId, waitOf, told } = await lost(SHIP);
    await engine.answer((await waitOf('question')).id, resolve('did_not_happen'));
    await engine.callback((await waitOf('callback')).id, 'shipped after all');
    await engine.work();
    expect(engine.tools.effects).toHaveLength(1);
    expect(told()).toContain('shipped after all');
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it.each(['happened', 'unknown'] as const)(
    '%s: its slot closes, and a later callback is refused',
    async (outcome) => {
      const { engine, runId, waitOf } = await lost(SHIP);
      const slot = await waitOf('callback');
      await engine.answer((await waitOf('question')).id, resolve(outcome));
      await engine.work();
      await expect(engine.callback(slot.id)).rejects.toMatchObject({ code: 'interrupt_closed' });
      expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
      expect(await engine.brokenRules(runId)).toEqual([]);
    },
  );

  it('its slot expires first: the person is still asked, and the job is sent again to a new slot', async () => {
    const { engine, runId, waitOf } = await lost(SHIP);
    const question = await waitOf('question');
    engine.clock.advance(SHIP.waitTimeoutSeconds * 1000 - 15_001);
    await engine.sweep();
    await engine.work();
    expect(await engine.wait(runId)).toMatchObject({ id: question.id });
    await engine.answer(question.id, resolve('did_not_happen'));
    await engine.work();
    expect(await engine.wait(runId)).toMatchObject({ kind: 'callback', state: 'open' });
    await engine.callback((await waitOf('callback')).id);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
