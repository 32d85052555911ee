import { aComponentTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { EventWriter } from '../events/event-writer.js';

describe('the sweeper', () => {
  it('finds a run whose wake was lost', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId } = await engine.start('go');
    engine.scheduler.take();
    engine.clock.advance(4_000);
    await engine.sweep();
    expect(engine.scheduler.take()).toBeNull();
    engine.clock.advance(2_000);
    await engine.sweep();
    await engine.work();
    expect(await engine.ended(runId)).toBe(true);
  });

  it('publishes events that their writer could not, in their order', async () => {
    const engine = startEngine({ model: [{ text: 'ok' }] });
    const { runId, messageId } = await engine.start('go');
    const away: EventWriter = {
      delta: async () => 'appended',
      position: () => null,
      drain: async () => null,
      publish: async () => {
        if (await engine.ended(runId)) throw new Error('the log is away');
      },
    };
    await engine.work(engine.worker({ writer: away }));
    expect(await engine.ended(runId)).toBe(true);
    expect((await engine.events(messageId)).map(({ type }) => type)).toEqual(['run.started']);
    engine.clock.advance(3_001);
    await engine.sweep();
    expect((await engine.events(messageId)).map(({ type }) => type)).toEqual([
      'run.started',
      'text.done',
      'usage',
      'run.finished',
    ]);
  });

  it('one thing that fails does not keep the others waiting', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form', { waitTimeoutSeconds: 1 })],
      model: [{ calls: [{ name: 'form', arguments: {} }] }],
    });
    const broken = await engine.start('one');
    const waiting = await engine.start('two');
    await engine.work();
    const { wake, wakeAgain } = engine.scheduler;
    const check = (runId: string) => {
      if (runId === broken.runId) throw new Error('the queue refuses this one');
    };
    Object.assign(engine.scheduler, {
      wake: async (...args: Parameters<typeof wake>) => {
        check(args[1]);
        return wake.apply(engine.scheduler, args);
      },
      wakeAgain: async (...args: Parameters<typeof wakeAgain>) => {
        check(args[1]);
        return wakeAgain.apply(engine.scheduler, args);
      },
    });
    engine.clock.advance(10_000);
    await engine.sweep();
    engine.clock.advance(10_000);
    await engine.sweep();
    expect(engine.scheduler.take()).toMatchObject({ runId: waiting.runId });
    expect(engine.observer.problems.map(({ doing }) => doing)).toContain(`wake ${broken.runId}`);
  });

  it('does no harm when several processes sweep at once', async () => {
    const engine = startEngine({
      tools: [aComponentTool('form', { waitTimeoutSeconds: 1 })],
      model: [{ calls: [{ name: 'form', arguments: {} }] }, { text: 'ok' }],
    });
    const { runId } = await engine.start('go');
    await engine.work();
    engine.clock.advance(10_000);
    await Promise.all([engine.sweep(), engine.sweep(), engine.sweep()]);
    await engine.work();
    expect(await engine.view(runId)).toMatchObject({ status: 'completed', calls: [{ status: 'expired' }] });
    expect(await engine.brokenRules(runId)).toEqual([]);
    expect(engine.observer.problems).toEqual([]);
  });
});
