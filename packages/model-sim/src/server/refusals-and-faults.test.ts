import OpenAI from 'openai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { scripted } from '../scenarios/scripted.js';
import { KNOWN_FAULTS } from './known-faults.js';
import { type ModelSim, type ModelSimOptions, startModelSim } from './start-model-sim.js';

let running: ModelSim | undefined;
afterEach(() => running?.close());

async function start(
  options: ModelSimOptions = {},
  apiKey = 'test-key',
): Promise<{ sim: ModelSim; client: OpenAI }> {
  running = await startModelSim(options);
  return { sim: running, client: new OpenAI({ baseURL: running.url, apiKey, maxRetries: 0 }) };
}
const hello = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };
const longAnswer = scripted([{ text: 'one two three four five six seven eight nine ten '.repeat(20) }]);

describe('refusals, as the client package sees them', () => {
  test('a tool call without a result is a BadRequestError with the words of the API', async () => {
    const { sim, client } = await start();
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'a', arguments: '{}' } };
    const messages = [...hello.messages, { role: 'assistant' as const, tool_calls: [call] }];
    const error = await client.chat.completions
      .create({ model: 'm', messages })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param: 'messages.[2].role' });
    expect((error as Error).message).toContain('did not have response messages: call_1');
    expect(sim.requests[0]).toMatchObject({ status: 400, parsed: undefined });
  });

  test('a missing or wrong key is an AuthenticationError', async () => {
    const { sim, client } = await start({ apiKey: 'right-key' }, 'wrong-key-1234');
    const error = await client.chat.completions.create(hello).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ code: 'invalid_api_key' });
    expect((error as Error).message).toContain('wron******1234');
    const bare = await fetch(`${sim.url}/chat/completions`, { method: 'POST', body: JSON.stringify(hello) });
    expect(bare.status).toBe(401);
  });

  test('a body over the limit is 413, and its size and digest are recorded without its text', async () => {
    const { sim, client } = await start({ bodyLimitBytes: 10_000 });
    const messages = [{ role: 'user' as const, content: 'x'.repeat(300_000) }];
    const error = await client.chat.completions
      .create({ model: 'm', messages })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 413, code: 'request_too_large' });
    expect(sim.requests[0]).toMatchObject({ raw: '', status: 413 });
    expect(sim.requests[0]?.sizeBytes).toBeGreaterThan(300_000);
    expect(sim.requests[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a body that is not JSON is 400', async () => {
    const { sim } = await start();
    const headers = { authorization: 'Bearer k' };
    const response = await fetch(`${sim.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: '{"model":',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null } });
  });
});

describe('recording', () => {
  test('what was sent is kept as it was, and can be forgotten', async () => {
    const { sim, client } = await start();
    await client.chat.completions.create(hello);
    expect(sim.requests[0]).toMatchObject({ raw: JSON.stringify(hello), parsed: hello, status: 200 });
    expect(sim.requests[0]?.headers.authorization).toBe('Bearer test-key');
    expect(sim.requests[0]?.aborted).toBeUndefined();
    sim.clearRequests();
    expect(sim.requests).toHaveLength(0);
  });

  test('only as many requests are kept as wanted, the newest', async () => {
    const { sim, client } = await start({ keepRequests: 2 });
    for (const model of ['a', 'b', 'c']) await client.chat.completions.create({ ...hello, model });
    expect(sim.requests.map((request) => request.parsed?.model)).toEqual(['b', 'c']);
  });

  test('a client that hangs up in the middle of a stream is recorded as aborted', async () => {
    const { sim, client } = await start({
      scenarios: [longAnswer],
      latency: { firstTokenMs: 0, perChunkMs: 5 },
    });
    const stream = await client.chat.completions.create({ ...hello, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break;
    }
    await vi.waitFor(() => expect(sim.requests[0]?.aborted).toBe(true));
  });
});

describe('faults', () => {
  test('an injected status hits the next request only', async () => {
    const { sim, client } = await start();
    sim.injectFaults([
      { when: 'next', fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
    ]);
    await expect(client.chat.completions.create(hello)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(client.chat.completions.create(hello)).resolves.toBeDefined();
  });

  test('an injected body is sent as given', async () => {
    const { sim, client } = await start();
    const body = {
      error: { message: 'Request body too large', type: 'gateway', param: null, code: 'limit' },
    };
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 500, body } }]);
    await expect(client.chat.completions.create(hello)).rejects.toMatchObject({ status: 500, code: 'limit' });
  });

  test.each(Object.entries(KNOWN_FAULTS))('%s is sent as its provider words it', async (_name, fault) => {
    const { sim } = await start();
    sim.injectFaults([{ when: 'next', fault }]);
    const response = await fetch(`${sim.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: JSON.stringify(hello),
    });
    expect(response.status).toBe(fault.status);
    const text = await response.text();
    expect(typeof fault.body === 'string' ? text : JSON.parse(text)).toEqual(fault.body);
  });

  test('a fault with a condition waits for its request, as often as it says', async () => {
    const { sim, client } = await start();
    const when = (request: { model: string }) => request.model === 'broken';
    sim.injectFaults([{ when, fault: { kind: 'status', status: 503 }, times: 2 }]);
    const statusOf = (model: string) =>
      client.chat.completions.create({ ...hello, model }).then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    expect([
      await statusOf('fine'),
      await statusOf('broken'),
      await statusOf('broken'),
      await statusOf('broken'),
    ]).toEqual([200, 503, 503, 200]);
  });

  test('a fault that was taken back hits nothing', async () => {
    const { sim, client } = await start();
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 503 } }]);
    sim.clearFaults();
    await expect(client.chat.completions.create(hello)).resolves.toBeDefined();
  });

  test('a reset cuts the stream after exactly so many chunks', async () => {
    const { sim, client } = await start({ scenarios: [longAnswer] });
    sim.injectFaults([{ when: 'next', fault: { kind: 'reset', afterChunks: 4 } }]);
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const chunk of await client.chat.completions.create({ ...hello, stream: true }))
        seen.push(chunk);
    };
    await expect(reading()).rejects.toThrow();
    expect(seen).toHaveLength(4);
    expect(sim.requests[0]?.aborted).toBeUndefined();
  });

  test('a hang lasts until the client gives up', async () => {
    const { sim, client } = await start();
    sim.injectFaults([{ when: 'next', fault: { kind: 'hang' } }]);
    await expect(client.chat.completions.create(hello, { timeout: 50 })).rejects.toBeInstanceOf(
      OpenAI.APIConnectionTimeoutError,
    );
    await vi.waitFor(() => expect(sim.requests[0]).toMatchObject({ aborted: true }));
    expect(sim.requests[0]?.status).toBeUndefined();
  });

  test('a scenario that throws answers 500 with its message', async () => {
    const failing = scripted([{}], {
      matches: () => {
        throw new Error('no such step');
      },
    });
    const { client } = await start({ scenarios: [failing] });
    await expect(client.chat.completions.create(hello)).rejects.toThrow('no such step');
  });
});
