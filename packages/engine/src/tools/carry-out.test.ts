import type { ToolDefinition } from '@plinth/protocol';
import { aRemoteTool, aServerTool, startEngine } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';

/** A run that calls the tool once a turn, so many times. */
function calling(tool: ToolDefinition, times: number) {
  const engine = startEngine({
    tools: [tool],
    model: [
      ...Array.from({ length: times }, (_, n) => ({ calls: [{ name: tool.key, arguments: { n } }] })),
      { text: 'Done.' },
    ],
  });
  const start = async (endUserId?: string) => {
    const { runId } = await engine.start('go', endUserId ? { endUserId: endUserId as never } : {});
    await engine.work();
    return engine.record(runId);
  };
  return { engine, start };
}

describe('a tool with a rate limit', () => {
  const limited = aServerTool('send', { rateLimit: { max: 2, perSeconds: 60 } });

  it('carries out what is within it; the model is told of the rest, and when to come back', async () => {
    const { engine, start } = calling(limited, 3);
    const { run, calls } = await start();
    expect(engine.tools.effects.map(({ arguments: values }) => values.n)).toEqual([0, 1]);
    expect(calls.map(({ status, error }) => error?.code ?? status)).toEqual([
      'succeeded',
      'succeeded',
      'rate_limited',
    ]);
    expect(calls[2]?.resultText).toContain('again in 60 seconds');
    expect(run.reason).toBe('final_answer');
    engine.clock.advance(60_000);
    expect((await start()).calls[0]?.status).toBe('succeeded');
  });

  it('of each end user: what one has used up is free to another', async () => {
    const { start } = calling({ ...limited, rateLimit: { max: 1, perSeconds: 60, scope: 'endUser' } }, 2);
    const codes = async (who: string) => (await start(who)).calls.map(({ error }) => error?.code ?? null);
    expect(await codes('ada')).toEqual([null, 'rate_limited']);
    expect(await codes('eve')).toEqual([null, 'rate_limited']);
  });

  it('whose counter is away is carried out, and the operator is told', async () => {
    const { engine, start } = calling(limited, 1);
    engine.limiter.take = () => Promise.reject(new Error('Redis is away'));
    expect((await start()).calls).toMatchObject([{ status: 'succeeded' }]);
    expect(engine.observer.problems).toMatchObject([{ doing: 'count a call of send; it was let through' }]);
  });

  it('whose counter does not answer is carried out after a second', async () => {
    const { engine } = calling(limited, 1);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    engine.limiter.take = () => {
      asked();
      return new Promise(() => {});
    };
    const { runId } = await engine.start('go');
    const working = engine.work();
    await isAsked;
    engine.clock.advance(1_000);
    await working;
    expect((await engine.view(runId)).calls).toMatchObject([{ status: 'succeeded' }]);
  });

  it('closes the slot of a job that is not sent', async () => {
    const { engine, start } = calling(aRemoteTool('draw', { rateLimit: { max: 1, perSeconds: 60 } }), 1);
    await engine.limiter.take(engine.tenant, { tool: 'draw', endUserId: null, max: 1, perSeconds: 60 });
    const { run, interrupts } = await start();
    expect(engine.tools.effects).toEqual([]);
    expect(interrupts).toMatchObject([{ kind: 'callback', state: 'closed' }]);
    expect(await engine.brokenRules(run.id)).toEqual([]);
  });
});
