import { idle, startEngine, untilAborted } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../models/model-gateway.js';

const throttled = () => new ModelError('throttled', true, 'Too many requests.');

describe('when the model fails', () => {
  it('for a passing reason it is asked again, and what was streamed is withdrawn', async () => {
    const engine = startEngine({
      model: (_asked, attempt) =>
        attempt < 3 ? { text: ['Hel', 'lo'], fails: throttled() } : { text: ['Good', 'bye'] },
    });
    const { runId, messageId } = await engine.start('go');
    const working = engine.work();
    await idle();
    expect(engine.model.asked).toHaveLength(1);
    engine.clock.advance(1_000);
    await idle();
    expect(engine.model.asked).toHaveLength(2);
    engine.clock.advance(2_000);
    await working;
    expect(new Set(engine.model.bodies).size).toBe(1);
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', parts: [{ text: 'Goodbye' }] });
    expect((await engine.events(messageId)).filter(({ type }) => type === 'message.reset')).toHaveLength(2);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('three times, the run ends as model_error, and the thread takes the next message', async () => {
    const engine = startEngine({
      model: ({ messages }) => (messages.length > 2 ? { text: 'ok' } : { text: 'Hel', fails: throttled() }),
    });
    const { runId, threadId, messageId } = await engine.start('go');
    const working = engine.work();
    for (const delayMs of [1_000, 2_000]) {
      await idle();
      engine.clock.advance(delayMs);
    }
    await working;
    expect(engine.model.asked).toHaveLength(3);
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'model_error',
      error: { code: 'model_throttled' },
      parts: [],
    });
    const types = (await engine.events(messageId)).map(({ type }) => type);
    expect(types.lastIndexOf('message.reset')).toBeGreaterThan(types.lastIndexOf('text.delta'));
    expect(await engine.brokenRules(runId)).toEqual([]);
    const next = await engine.start('again', { threadId });
    await engine.work();
    expect(await engine.view(next.runId)).toMatchObject({ status: 'completed' });
  });

  it('for good, it is not asked again', async () => {
    const engine = startEngine({ model: [{ fails: new ModelError('rejected', false, 'Bad request.') }] });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({
      status: 'failed',
      reason: 'model_error',
      error: { code: 'model_rejected', message: 'Bad request.' },
    });
  });

  it('a cancel between two tries ends the run at once', async () => {
    const engine = startEngine({ model: [{ text: 'Hel', fails: throttled() }] });
    const { runId } = await engine.start('go');
    const working = engine.work();
    await idle();
    await engine.cancel(runId);
    await working;
    expect(engine.model.asked).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled', parts: [] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});

describe('when the platform fails', () => {
  it('once, the run is left to the next worker and goes on', async () => {
    const engine = startEngine({
      model: (_asked, attempt) =>
        attempt === 1 ? { text: 'Hel', fails: new Error('a bug') } : { text: 'Goodbye' },
    });
    const { runId } = await engine.start('go');
    await engine.work();
    expect(await engine.ended(runId)).toBe(false);
    await engine.afterLease();
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', parts: [{ text: 'Goodbye' }] });
    expect(engine.observer.problems).toHaveLength(1);
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('again and again, the run ends as internal_error and the thread is free', async () => {
    const engine = startEngine({ model: [{ fails: new Error('a bug') }] });
    const { runId } = await engine.start('go');
    await engine.work();
    for (let round = 0; round < 30 && !(await engine.ended(runId)); round += 1) {
      await engine.afterLease();
      await engine.work();
    }
    expect(await engine.view(runId)).toMatchObject({ status: 'failed', reason: 'internal_error' });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });

  it('a worker that shuts down lets its run go, and another one takes it at once', async () => {
    const engine = startEngine({
      model: (_asked, attempt) => (attempt === 1 ? { text: 'Hel', then: untilAborted } : { text: 'Goodbye' }),
    });
    const { runId } = await engine.start('go');
    const first = engine.worker();
    const working = first.advance((await engine.record(runId)).run.id);
    engine.scheduler.take();
    await idle();
    first.stop.abort(new Error('the process closes'));
    await working;
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', parts: [{ text: 'Goodbye' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
  });
});
