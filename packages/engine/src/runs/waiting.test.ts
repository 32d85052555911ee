import { aComponentTool, aServerTool, idle, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const FORM = aComponentTool('form');
const OTHER_FORM = aComponentTool('other_form');
const SLOW = aServerTool('slow');

const call = (name: string, values = {}) => ({ name, arguments: values });

/** A promise that a test resolves. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('answers and parking', () => {
  it('an answer that arrives before the run parks is kept and used; the run is not parked in between', async () => {
    const { opened, open } = gate();
    const engine = startEngine({
      tools: [FORM, SLOW],
      model: [{ calls: [call('form'), call('slow')] }, { text: 'ok' }],
    });
    engine.tools.scripts.slow = async () => {
      await opened;
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId, messageId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 'early' });
    open();
    await working;
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect((await engine.events(messageId)).some(({ type }) => type === 'run.interrupted')).toBe(false);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('an answer that lands between the plan and the park is not lost', async () => {
    const engine = startEngine({
      tools: [FORM, OTHER_FORM],
      model: [{ calls: [call('form'), call('other_form')] }, { text: 'ok' }],
    });
    const { runId, messageId } = await engine.start('go');
    await engine.work();
    const [first, second] = await engine.waits(runId);
    await engine.answer(first?.id ?? '', { type: 'submit', value: 1 });
    let late = second?.id;
    const transact = engine.ledger.transact.bind(engine.ledger);
    const ledger = Object.assign(Object.create(engine.ledger) as typeof engine.ledger, {
      transact: async (...parts: Parameters<typeof transact>) => {
        const id = late;
        late = undefined;
        if (id) await engine.answer(id, { type: 'submit', value: 2 });
        return transact(...parts);
      },
    });
    await engine.work(engine.worker({ ledger }));
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect((await engine.events(messageId)).filter(({ type }) => type === 'run.interrupted')).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('three parallel waits answered in reverse order: each result is on its own call, in call order', async () => {
    const engine = startEngine({
      tools: [FORM],
      model: [
        { calls: [call('form', { n: 1 }), call('form', { n: 2 }), call('form', { n: 3 })] },
        { text: 'ok' },
      ],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    for (const wait of (await engine.waits(runId)).reverse()) {
      const n = wait.payload.kind === 'component' ? wait.payload.props.n : null;
      await engine.answer(wait.id, { type: 'submit', value: { for: n ?? null } });
      await engine.work();
    }
    const results = engine.model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual([
      ['call_0_0', '{"for":1}'],
      ['call_0_1', '{"for":2}'],
      ['call_0_2', '{"for":3}'],
    ]);
    expect(engine.model.asked).toHaveLength(2);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a gated and an ungated tool in one turn: the ungated runs once, its result waits for the gate', async () => {
    const engine = startEngine({
      tools: [aServerTool('pay', { requireConfirmation: 'always' }), SLOW],
      model: [{ calls: [call('pay', { amount: 1 }), call('slow')] }, { text: 'ok' }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.tools.effects.map(({ tool }) => tool.key)).toEqual(['slow']);
    expect(engine.model.asked).toHaveLength(1);
    await engine.answer((await engine.wait(runId)).id, { type: 'approve' });
    await engine.work();
    expect(engine.tools.effects.map(({ tool }) => tool.key)).toEqual(['slow', 'pay']);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a decline reaches the model with its reason, nothing runs, and the run goes on', async () => {
    const engine = startEngine({
      tools: [aServerTool('pay', { requireConfirmation: 'always' })],
      model: [{ calls: [call('pay')] }, { text: 'Then not.' }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    await engine.answer((await engine.wait(runId)).id, { type: 'decline', reason: 'too dear' });
    await engine.work();
    expect(engine.tools.effects).toEqual([]);
    expect(engine.model.asked.at(-1)?.messages.at(-1)?.content).toContain('"reason":"too dear"');
    expect(await engine.view(runId)).toMatchObject({
      status: 'completed',
      calls: [{ status: 'declined', summary: 'too dear' }],
    });
  });

  it('two different answers: one is accepted, the other hears who was first, and the model reads one', async () => {
    const engine = startEngine({ tools: [FORM], model: [{ calls: [call('form')] }, { text: 'ok' }] });
    const { runId } = await engine.start('go');
    await engine.work();
    const { id } = await engine.wait(runId);
    const outcomes = await Promise.allSettled([
      engine.answer(id, { type: 'submit', value: 'a' }, 'request-a'),
      engine.answer(id, { type: 'submit', value: 'b' }, 'request-b'),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      {
        status: 'rejected',
        reason: { code: 'interrupt_already_answered', facts: { by: { kind: 'end_user', id: 'user-1' } } },
      },
    ]);
    const first = outcomes[0].status === 'fulfilled' ? outcomes[0].value : null;
    engine.clock.advance(5_000);
    expect(await engine.answer(id, { type: 'submit', value: 'a' }, 'request-a')).toEqual(first);
    await engine.work();
    expect(await engine.answer(id, { type: 'submit', value: 'a' }, 'request-a')).toEqual(first);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(engine.model.asked.at(-1)?.messages.at(-1)?.content).toBe('"a"');
  });

  it('repeated wake jobs of a parked, a working and an ended run do nothing', async () => {
    const engine = startEngine({ tools: [FORM], model: [{ calls: [call('form')] }, { text: 'ok' }] });
    const { runId, messageId } = await engine.start('go');
    const again = async () => {
      for (let time = 0; time < 3; time += 1) {
        await engine.scheduler.wake(engine.tenant, (await engine.record(runId)).run.id);
        await engine.work();
      }
    };
    await engine.work();
    const parked = await engine.events(messageId);
    await again();
    expect(await engine.events(messageId)).toEqual(parked);
    await engine.answer((await engine.wait(runId)).id, { type: 'submit', value: 1 });
    await engine.work();
    const ended = await engine.events(messageId);
    await again();
    expect(await engine.events(messageId)).toEqual(ended);
    expect(engine.model.asked).toHaveLength(2);
  });

  it('two workers advance one run at once: one has it, one side effect', async () => {
    const engine = startEngine({ tools: [SLOW], model: [{ calls: [call('slow')] }, { text: 'ok' }] });
    const { runId } = await engine.start('go');
    const { run } = await engine.record(runId);
    await Promise.all([
      engine.worker().advance(run.id),
      engine.worker().advance(run.id),
      engine.worker().advance(run.id),
    ]);
    expect(engine.tools.effects).toHaveLength(1);
    expect(engine.model.asked).toHaveLength(2);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
