import { aComponentTool, aRemoteTool, aServerTool, idle, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const FORM = aComponentTool('form');
const SLOW = aServerTool('slow');
const call = (name: string) => ({ name, arguments: {} });

const endOf = (types: string[]) => types.slice(-2);

describe('cancelling a run', () => {
  it('while the model streams: the stream is aborted, and what was shown stays and is told to the next turn', async () => {
    const engine = startEngine({
      model: ({ messages }) =>
        messages.length > 2 ? { text: 'ok' } : { text: ['Once upon', ' a time'], then: untilAborted },
    });
    const { runId, messageId, threadId } = await engine.start('tell me a story');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled',
      parts: [{ type: 'text', text: 'Once upon a time', done: true }],
    });
    expect(endOf((await engine.events(messageId)).map(({ type }) => type))).toEqual([
      'usage',
      'run.finished',
    ]);
    expect(await engine.brokenRules(runId)).toEqual([]);

    const next = await engine.start('and then?', { threadId });
    await engine.work();
    expect(engine.model.asked.at(-1)?.messages.map(({ content }) => content)).toEqual([
      expect.any(String),
      'tell me a story',
      'Once upon a time',
      'and then?',
    ]);
    expect(await engine.brokenRules(next.runId)).toEqual([]);
  });

  it('while the model only thinks: what cannot be kept is withdrawn from the readers', async () => {
    const engine = startEngine({ model: [{ reasoning: 'Let me see', then: untilAborted }] });
    const { runId, messageId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', parts: [] });
    const types = (await engine.events(messageId)).map(({ type }) => type);
    expect(types.indexOf('message.reset')).toBeGreaterThan(types.indexOf('reasoning.delta'));
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('while a tool runs and a form waits: the tool gets its abort, the form closes, one terminal event', async () => {
    const engine = startEngine({ tools: [FORM, SLOW], model: [{ calls: [call('form'), call('slow')] }] });
    let aborted = false;
    engine.tools.scripts.slow = async (_invocation, signal) => {
      await untilAborted(signal).finally(() => {
        aborted = true;
      });
      throw new Error('not reached');
    };
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await idle();
    expect(aborted).toBe(true);
    await working;
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      calls: [{ status: 'cancelled' }, { status: 'unknown', error: { code: 'outcome_unknown' } }],
      interrupts: [{ state: 'closed', closedWhy: 'cancelled' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a tool that does not listen to its abort does not hold the run up', async () => {
    const engine = startEngine({ tools: [SLOW], model: [{ calls: [call('slow')] }] });
    engine.tools.scripts.slow = () => new Promise(() => {});
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await idle();
    engine.clock.advance(500);
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', calls: [{ status: 'unknown' }] });
  });

  it('a tool that may run twice and was cut off is told as cancelled', async () => {
    const engine = startEngine({
      tools: [aServerTool('slow', { idempotent: true })],
      model: [{ calls: [call('slow')] }],
    });
    engine.tools.scripts.slow = (_invocation, signal) => untilAborted(signal);
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
  });

  it('tools that wait for their turn are not started any more', async () => {
    const engine = startEngine({
      tools: [SLOW, aServerTool('last', { concurrency: 'exclusive' })],
      model: [{ calls: [call('slow'), call('slow'), call('slow'), call('last')] }],
      config: { tools: { maxParallel: 2 } },
    });
    engine.tools.scripts.slow = (_invocation, signal) => untilAborted(signal);
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(engine.tools.effects).toHaveLength(2);
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      calls: ['unknown', 'unknown', 'cancelled', 'cancelled'].map((status) => ({ status })),
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that comes while receipts are written: the tool does not start, although no nudge came', async () => {
    const engine = startEngine({ tools: [SLOW], model: [{ calls: [call('slow')] }] });
    engine.scheduler.nudge = async () => {};
    const { runId } = await engine.start('go');
    const transact = engine.ledger.transact.bind(engine.ledger);
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, {
      transact: async (...parts: Parameters<typeof transact>) => {
        if (engine.model.asked.length > 0) await engine.cancel(runId);
        return transact(...parts);
      },
    });
    await engine.work(engine.worker({ ledger }));
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('that comes right after receipts were written: the tool does not start', async () => {
    const engine = startEngine({ tools: [SLOW], model: [{ calls: [call('slow')] }] });
    const { runId } = await engine.start('go');
    const worker = engine.worker({
      writer: {
        delta: async () => 'appended',
        position: () => null,
        drain: async () => null,
        publish: async () => {
          const { calls } = await engine.record(runId);
          if (calls.some(({ status }) => status === 'started')) await engine.cancel(runId);
          await idle();
        },
      },
    });
    await engine.work(worker);
    expect(engine.tools.effects).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', calls: [{ status: 'cancelled' }] });
  });

  it('that comes while the run is about to park: it ends instead, although no nudge came', async () => {
    const engine = startEngine({ tools: [FORM], model: [{ calls: [call('form')] }] });
    engine.scheduler.nudge = async () => {};
    const { runId } = await engine.start('go');
    const transact = engine.ledger.transact.bind(engine.ledger);
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, {
      transact: async (...parts: Parameters<typeof transact>) => {
        if (engine.model.asked.length > 0) await engine.cancel(runId);
        return transact(...parts);
      },
    });
    await engine.work(engine.worker({ ledger }));
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      calls: [{ status: 'cancelled' }],
      interrupts: [{ closedWhy: 'cancelled' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a tool that ends although it was aborted keeps its result, and the ones behind it do not start', async () => {
    const engine = startEngine({
      tools: [SLOW],
      model: [{ calls: [call('slow'), call('slow')] }],
      config: { tools: { maxParallel: 1 } },
    });
    const { runId } = await engine.start('go');
    engine.tools.scripts.slow = async (_invocation, signal) => {
      await engine.cancel(runId);
      await untilAborted(signal).catch(() => {});
      return { kind: 'succeeded', value: 'paid', files: [] };
    };
    await engine.work();
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'cancelled',
      calls: [{ status: 'succeeded' }, { status: 'cancelled' }],
    });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is found at the next renewal when the nudge is lost', async () => {
    const engine = startEngine({ model: [{ text: 'Once', then: untilAborted }] });
    engine.scheduler.nudge = async () => {};
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await idle();
    expect(await engine.ended(runId)).toBe(false);
    engine.clock.advance(5_000);
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled' });
  });

  it.each(['component', 'confirmation', 'callback'] as const)(
    'while it waits for a %s: ends at once, without a worker; a late answer is refused',
    async (kind) => {
      const tools = {
        component: FORM,
        confirmation: aServerTool('pay', { requireConfirmation: 'always' }),
        callback: aRemoteTool('job'),
      };
      const engine = startEngine({ tools: [tools[kind]], model: [{ calls: [call(tools[kind].key)] }] });
      const { runId, messageId } = await engine.start('go');
      await engine.work();
      const { id } = await engine.wait(runId);
      await engine.cancel(runId);
      expect(await engine.view(runId)).toMatchObject({
        status: 'cancelled',
        reason: 'cancelled',
        calls: [{ status: 'cancelled' }],
        interrupts: [{ state: 'closed' }],
      });
      const late = kind === 'callback' ? engine.callback(id) : engine.answer(id, { type: 'decline' });
      await expect(late).rejects.toMatchObject({ code: 'interrupt_closed', facts: { why: 'cancelled' } });
      expect((await engine.events(messageId)).at(-1)?.type).toBe('run.finished');
      expect(engine.observer.endings).toEqual(['cancelled']);
      expect(await engine.brokenRules(runId)).toEqual([]);
    },
  );

  it('before any worker took it: it never starts', async () => {
    const engine = startEngine({ model: [{ text: 'no' }] });
    const { runId } = await engine.start('go');
    await engine.cancel(runId);
    await engine.work();
    expect(engine.model.asked).toEqual([]);
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('whose worker is dead: the next worker ends it', async () => {
    const engine = startEngine({ model: [{ text: 'Once', then: () => new Promise(() => {}) }] });
    const first = engine.worker();
    const { runId } = await engine.start('go');
    const working = engine.work(first);
    await idle();
    first.life.kill();
    await working;
    await engine.cancel(runId);
    expect(await engine.ended(runId)).toBe(false);
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled' });
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('twice, or after its end, changes nothing; a foreign run is not found', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId } = await engine.start('go');
    await engine.work();
    const before = await engine.record(runId);
    await engine.cancel(runId);
    expect(await engine.record(runId)).toEqual(before);
    await expect(engine.cancel('run_9999')).rejects.toMatchObject({ code: 'not_found' });
    const foreign = await engine.start('mine', { endUserId: 'user-2' as typeof engine.user });
    await expect(engine.cancel(foreign.runId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await engine.ended(foreign.runId)).toBe(false);
  });
});
