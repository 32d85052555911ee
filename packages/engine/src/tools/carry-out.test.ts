import type { ToolDefinition } from '@plinth/protocol';
import { aRemoteTool, aServerTool, idle, startEngine, type ToolScript } from '@plinth/testkit';
import { describe, expect, it } from 'vitest';
import type { ToolOutcome } from './tool-executor.js';

const MCP = { kind: 'mcp', server: 'library', tool: 'search' } as const;
const FILE = {
  title: 'Chart',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'sha256/ab',
  sizeBytes: 3,
  sha256: 'ab',
} as const;

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

describe('a tool whose results are kept', () => {
  const cached = (fields: Partial<ToolDefinition> = {}) =>
    aServerTool('rate', { idempotent: true, cache: { ttlSeconds: 60 }, ...fields });
  const asks = (argumentsText: string) => ({ calls: [{ name: 'rate', arguments: argumentsText }] });

  function asking(tool: ToolDefinition, ...argumentTexts: string[]) {
    const engine = startEngine({ tools: [tool], model: [...argumentTexts.map(asks), { text: 'Done.' }] });
    const ask = async (endUserId = 'ada') => {
      const { runId } = await engine.start('go', { endUserId: endUserId as never });
      await engine.work();
      return (await engine.record(runId)).calls;
    };
    return { engine, ask };
  }

  it('gives the same text without being carried out, however the arguments are written; the receipt says so', async () => {
    const { engine, ask } = asking(cached(), '{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1.0 }');
    const [first, second] = await ask();
    expect(engine.tools.effects).toHaveLength(1);
    expect(second?.resultText).toBe(first?.resultText);
    expect([first?.fromCache, second?.fromCache]).toEqual([false, true]);
    expect((await ask()).map(({ fromCache }) => fromCache)).toEqual([true, true]);
    engine.clock.advance(60_000);
    expect((await ask())[0]?.fromCache).toBe(false);
  });

  it('is carried out for other arguments, another definition and another end user', async () => {
    const { engine, ask } = asking(cached(), '{"a":1}', '{"a":2}');
    await ask('ada');
    await ask('eve');
    engine.publish([cached({ description: 'In other units.' })]);
    await ask('ada');
    expect(engine.tools.effects).toHaveLength(6);
  });

  it('is carried out once for all end users when the tool says that they share', async () => {
    const { engine, ask } = asking(cached({ cache: { ttlSeconds: 60, shared: true } }), '{}');
    await ask('ada');
    expect((await ask('eve'))[0]?.fromCache).toBe(true);
    expect(engine.tools.effects).toHaveLength(1);
  });

  it('takes nothing from its rate limit when the result is there already', async () => {
    const { ask } = asking(cached({ rateLimit: { max: 1, perSeconds: 60 } }), '{}', '{}', '{}');
    expect((await ask()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  it.each<[string, ToolScript]>([
    ['a failure', () => ({ kind: 'failed', error: { code: 'no_rate', message: 'None today.' } })],
    ['a result with files', () => ({ kind: 'succeeded', value: 1, files: [FILE] })],
    ['a very long result', () => ({ kind: 'succeeded', value: 'x'.repeat(65_536), files: [] })],
  ])('does not keep %s', async (_name, script) => {
    const { engine, ask } = asking(cached(), '{}');
    engine.tools.scripts.rate = script;
    await ask();
    await ask();
    expect(engine.tools.effects).toHaveLength(2);
  });

  it('is carried out when the cache is away, and the operator is told', async () => {
    const { engine, ask } = asking(cached(), '{}');
    engine.cache.get = () => Promise.reject(new Error('Redis is away'));
    engine.cache.put = () => Promise.reject(new Error('Redis is away'));
    expect(await ask()).toMatchObject([{ status: 'succeeded', fromCache: false }]);
    expect(engine.observer.problems.map(({ doing }) => doing)).toEqual([
      'read the cached result of rate',
      'keep the result of rate',
    ]);
  });

  it('asks a person before it gives a kept result, if it asks before it is carried out', async () => {
    const { engine, ask } = asking(cached({ requireConfirmation: 'always' }), '{}');
    const [call] = await ask();
    expect(call?.status).toBe('pending');
    expect(engine.tools.effects).toEqual([]);
  });
});

describe('an attempt that came to nothing', () => {
  const DOWN: ToolOutcome = { kind: 'failed', error: { code: 'unavailable', message: 'Nobody there.' } };
  const DONE: ToolOutcome = { kind: 'succeeded', value: 'done', files: [] };

  /** Plays the outcomes one after the other, and lets the waits between attempts pass as they come. */
  async function attempting(tool: ToolDefinition, ...outcomes: ToolOutcome[]) {
    const { engine } = calling(tool, 1);
    const keys: string[] = [];
    engine.tools.scripts[tool.key] = ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return outcomes[keys.length - 1] ?? DONE;
    };
    const waits: number[] = [];
    const wait = engine.clock.wait.bind(engine.clock);
    engine.clock.wait = async (delayMs, signal) => {
      if (![1_000, 2_000, 4_000].includes(delayMs)) return wait(delayMs, signal);
      waits.push(delayMs);
    };
    const { runId } = await engine.start('go');
    await engine.work();
    const [call] = (await engine.record(runId)).calls;
    return { call, keys, waits };
  }

  it('is made again after 1, 2 and 4 seconds with the same key, for an idempotent tool', async () => {
    const { call, keys, waits } = await attempting(
      aServerTool('book', { idempotent: true }),
      DOWN,
      DOWN,
      DOWN,
      DONE,
    );
    expect(call?.status).toBe('succeeded');
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    expect(new Set(keys)).toEqual(new Set([call?.id]));
    expect(keys).toHaveLength(4);
  });

  it('four times in a row ends the call as unavailable, and the model is told how often it was tried', async () => {
    const { call, keys } = await attempting(
      aServerTool('book', { idempotent: true }),
      DOWN,
      DOWN,
      DOWN,
      DOWN,
    );
    expect(keys).toHaveLength(4);
    expect(call?.error).toEqual({ code: 'unavailable', message: 'Nobody there. It was tried 4 times.' });
    expect(call?.resultText).toContain('Do not retry now');
  });

  it.each<[string, Partial<ToolDefinition>, ToolOutcome]>([
    ['of a tool that may not run twice', {}, DOWN],
    [
      'that the service refused',
      { idempotent: true },
      { kind: 'failed', error: { code: 'no_seat', message: '' } },
    ],
    [
      'whose end is not known',
      { idempotent: true },
      { kind: 'failed', error: { code: 'timed_out', message: '' } },
    ],
    ['of a service that says when to come back', { idempotent: true }, { ...DOWN, retryAfterSeconds: 60 }],
  ])('is not made again when it is one %s', async (_name, fields, outcome) => {
    const { call, keys } = await attempting(aServerTool('book', fields), outcome);
    expect(keys).toHaveLength(1);
    expect(call?.status).toBe('failed');
  });

  it('is never made again for a tool of an MCP server', async () => {
    const mcp = { ...aServerTool('search', { idempotent: true }), executor: MCP };
    const { keys } = await attempting(mcp, DOWN);
    expect(keys).toHaveLength(1);
  });

  it('is not made again once the run is cancelled', async () => {
    const { engine } = calling(aServerTool('book', { idempotent: true }), 1);
    engine.tools.scripts.book = () => DOWN;
    const { runId } = await engine.start('go');
    const working = engine.work();
    while (engine.tools.effects.length === 0) await idle();
    await engine.cancel(runId);
    await working;
    expect(engine.tools.effects).toHaveLength(1);
    expect(await engine.view(runId)).toMatchObject({ status: 'cancelled' });
  });
});
