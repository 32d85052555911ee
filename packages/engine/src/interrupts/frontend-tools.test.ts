import { aFrontendTool, aServerTool, startEngine, type TestEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

const ONE = 'page-one';
const TWO = 'page-two';
const result = (clientId: string, value: string | number = 'done') =>
  ({ type: 'result', clientId, value }) as const;

async function waiting(rest: Parameters<typeof aFrontendTool>[1] = {}) {
  const engine = startEngine({
    tools: [aFrontendTool('edit', rest), aServerTool('look_up')],
    model: [{ calls: [{ name: 'edit', arguments: { file: 'a.txt' } }] }, { text: 'ok' }],
  });
  const { runId, messageId } = await engine.start('go');
  await engine.work();
  return { engine, runId, messageId, wait: await engine.wait(runId) };
}

async function after(engine: TestEngine, seconds: number): Promise<void> {
  engine.clock.advance(seconds * 1000);
  await engine.sweep();
  await engine.work();
}

const told = (engine: TestEngine) => engine.model.bodies.at(-1) ?? '';

describe('the lease of a frontend tool', () => {
  it('is one page’s: the other is refused, told until when, and hears of it by an event', async () => {
    const { engine, runId, messageId, wait } = await waiting();
    expect(wait).toMatchObject({
      payload: { kind: 'frontend', handler: 'Handler of edit', arguments: { file: 'a.txt' } },
    });
    const leased = await engine.lease(wait.id, ONE);
    expect(leased).toMatchObject({ clientId: ONE, renewAfterMs: 6666 });
    await expect(engine.lease(wait.id, TWO)).rejects.toMatchObject({
      code: 'interrupt_leased',
      facts: { until: leased.until, mayFollow: false },
    });
    const { interrupts, calls } = await engine.view(runId);
    expect(interrupts[0]).toMatchObject({ kind: 'frontend', expiresAt: null, lease: { clientId: ONE } });
    expect(calls[0]).toMatchObject({ location: 'client' });
    const events = (await engine.events(messageId)).filter(({ type }) => type === 'interrupt.leased');
    expect(events).toMatchObject([{ interruptId: wait.id, lease: { clientId: ONE } }]);
  });

  it('of two pages at the same instant exactly one gets it', async () => {
    const { engine, wait } = await waiting();
    const outcomes = await Promise.allSettled([engine.lease(wait.id, ONE), engine.lease(wait.id, TWO)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is renewed by its page alone, without another event, as long as the tool may take', async () => {
    const { engine, runId, messageId, wait } = await waiting({ waitTimeoutSeconds: 100 });
    await engine.lease(wait.id, ONE);
    for (let time = 0; time < 90; time += 15) {
      await after(engine, 15);
      await engine.lease(wait.id, ONE);
    }
    expect(await engine.waits(runId)).toHaveLength(1);
    expect((await engine.events(messageId)).filter(({ type }) => type === 'interrupt.leased')).toHaveLength(
      1,
    );
    await after(engine, 11);
    expect((await engine.view(runId)).calls).toMatchObject([
      { status: 'unknown', error: { code: 'timed_out' } },
    ]);
  });

  it('only frontend tools have one', async () => {
    const { engine, wait } = await waiting({ requireConfirmation: 'always' });
    await expect(engine.lease(wait.id, ONE)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(engine.lease('int_none', ONE)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the result of a frontend tool', () => {
  it('is taken of the page that holds the lease, once, and the run goes on', async () => {
    const { engine, runId, wait } = await waiting();
    await expect(engine.answer(wait.id, result(ONE))).rejects.toMatchObject({ code: 'lease_not_held' });
    await engine.lease(wait.id, ONE);
    await expect(engine.answer(wait.id, result(TWO))).rejects.toMatchObject({ code: 'lease_not_held' });
    const first = await engine.answer(wait.id, result(ONE), 'request-of-page-one');
    expect(await engine.answer(wait.id, result(ONE), 'request-of-page-one')).toEqual(first);
    await expect(engine.answer(wait.id, result(ONE, 'again'))).rejects.toMatchObject({
      code: 'interrupt_already_answered',
    });
    engine.store.clear();
    await engine.work();
    expect(told(engine)).toContain(JSON.stringify(JSON.stringify({ result: 'done' })));
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'succeeded' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('S4: that comes before the run has parked is kept, and the run goes on once', async () => {
    const engine = startEngine({
      tools: [aFrontendTool('edit'), aServerTool('look_up')],
      model: [
        {
          calls: [
            { name: 'edit', arguments: {} },
            { name: 'look_up', arguments: {} },
          ],
        },
        { text: 'ok' },
      ],
    });
    // The page answers while the worker still runs the other tool of the turn.
    engine.tools.scripts.look_up = async ({ runId }) => {
      const wait = await engine.wait(runId);
      await engine.lease(wait.id, ONE);
      await engine.answer(wait.id, result(ONE));
      return { kind: 'succeeded', value: 1, files: [] };
    };
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed' });
    expect(engine.model.asked).toHaveLength(2);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('is checked by the output schema and cut like any other', async () => {
    const { engine, runId, wait } = await waiting({ output: { type: 'string' } });
    await engine.lease(wait.id, ONE);
    await engine.answer(wait.id, result(ONE, 7));
    await engine.work();
    expect((await engine.view(runId)).calls).toMatchObject([
      { status: 'failed', error: { code: 'invalid_output' } },
    ]);
    const second = await waiting();
    await second.engine.lease(second.wait.id, ONE);
    await second.engine.answer(second.wait.id, result(ONE, 'word '.repeat(20_000)));
    await second.engine.work();
    expect((await second.engine.record(second.runId)).artifacts).toHaveLength(1);
  });

  it('a failure of the handler, and a no of the person, are told to the model', async () => {
    const failed = await waiting();
    await failed.engine.lease(failed.wait.id, ONE);
    const error = { code: 'file_locked', message: 'Somebody else edits it.' };
    await failed.engine.answer(failed.wait.id, { type: 'failure', clientId: ONE, error });
    await failed.engine.work();
    expect((await failed.engine.view(failed.runId)).calls).toMatchObject([{ status: 'failed', error }]);
    const declined = await waiting();
    await declined.engine.answer(declined.wait.id, { type: 'decline', reason: 'not now' });
    await declined.engine.work();
    expect((await declined.engine.view(declined.runId)).calls).toMatchObject([{ status: 'declined' }]);
  });

  it('a submission is none: other answers are refused and nothing is written', async () => {
    const { engine, wait } = await waiting();
    await expect(engine.answer(wait.id, { type: 'submit', value: 1 })).rejects.toMatchObject({
      code: 'answer_invalid',
    });
  });
});

describe('a page that goes away', () => {
  it('that no page turns up ends the call, with what the model can do', async () => {
    const { engine, runId } = await waiting({ claimTimeoutSeconds: 30 });
    await after(engine, 29);
    expect(await engine.waits(runId)).toHaveLength(1);
    await after(engine, 2);
    expect((await engine.view(runId)).calls).toMatchObject([
      { status: 'expired', error: { code: 'no_client' } },
    ]);
    expect(told(engine)).toContain('Ask the user to open the page');
  });

  it('rerun: another page takes it over when the lease has ended, and only its result is taken then', async () => {
    const { engine, runId, wait } = await waiting({ recovery: 'rerun' });
    await engine.lease(wait.id, ONE);
    await after(engine, 21);
    await engine.lease(wait.id, TWO);
    await expect(engine.answer(wait.id, result(ONE))).rejects.toMatchObject({ code: 'lease_not_held' });
    await expect(engine.lease(wait.id, ONE)).rejects.toMatchObject({ facts: { mayFollow: true } });
    await engine.answer(wait.id, result(TWO));
    await engine.work();
    expect((await engine.view(runId)).calls).toMatchObject([{ status: 'succeeded' }]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('rerun: nobody takes it over in the time that the first page had', async () => {
    const { engine, runId, wait } = await waiting({ recovery: 'rerun', claimTimeoutSeconds: 30 });
    await engine.lease(wait.id, ONE);
    await after(engine, 49);
    expect(await engine.waits(runId)).toHaveLength(1);
    await after(engine, 2);
    expect((await engine.view(runId)).calls).toMatchObject([
      { status: 'expired', error: { code: 'client_lost' } },
    ]);
  });

  it('fail: the outcome is unknown, and no other page runs it', async () => {
    const { engine, runId, wait } = await waiting({ recovery: 'fail' });
    await engine.lease(wait.id, ONE);
    engine.clock.advance(21_000);
    await expect(engine.lease(wait.id, TWO)).rejects.toMatchObject({
      code: 'interrupt_leased',
      facts: { mayFollow: false },
    });
    await after(engine, 0);
    expect((await engine.view(runId)).calls).toMatchObject([
      { status: 'unknown', error: { code: 'client_lost' } },
    ]);
    await expect(engine.answer(wait.id, result(ONE))).rejects.toMatchObject({ code: 'interrupt_closed' });
  });

  it.each([
    ['happened', 'succeeded'],
    ['unknown', 'unknown'],
  ] as const)('ask: the person is asked, and says that it %s', async (outcome, status) => {
    const { engine, runId, wait } = await waiting({ recovery: 'ask' });
    await engine.lease(wait.id, ONE);
    await after(engine, 21);
    const question = await engine.wait(runId);
    expect(question).toMatchObject({ kind: 'question', payload: { arguments: { file: 'a.txt' } } });
    engine.store.clear();
    await engine.answer(question.id, { type: 'resolve', outcome });
    await engine.work();
    expect((await engine.view(runId)).calls).toMatchObject([{ status }]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('ask: that it did not happen lets a page run it, as if for the first time', async () => {
    const { engine, runId, wait } = await waiting({ recovery: 'ask' });
    await engine.lease(wait.id, ONE);
    await after(engine, 21);
    await engine.answer((await engine.wait(runId)).id, { type: 'resolve', outcome: 'did_not_happen' });
    await engine.work();
    const again = await engine.wait(runId);
    expect(again).toMatchObject({ kind: 'frontend', lease: null });
    await engine.lease(again.id, TWO);
    await engine.answer(again.id, result(TWO));
    await engine.work();
    expect((await engine.view(runId)).calls).toMatchObject([{ status: 'succeeded' }]);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a lease that is renewed while the sweeper looks keeps its wait open', async () => {
    const { engine, runId, wait } = await waiting({ recovery: 'fail' });
    await engine.lease(wait.id, ONE);
    engine.clock.advance(21_000);
    const due = await engine.ledger.dueInterrupts({ now: engine.clock.now(), limit: 10 });
    expect(due.map(({ interruptId }) => interruptId)).toEqual([wait.id]);
    await engine.lease(wait.id, ONE);
    await expect(engine.expire(wait.id)).rejects.toMatchObject({ code: 'invalid_request' });
    await engine.work();
    expect(await engine.waits(runId)).toMatchObject([{ state: 'open' }]);
  });
});
