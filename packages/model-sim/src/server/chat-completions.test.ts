import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { scripted } from '../scenarios/scripted.js';
import { type ModelSim, type ModelSimOptions, startModelSim } from './start-model-sim.js';

let running: ModelSim | undefined;
afterEach(() => running?.close());

async function start(options: ModelSimOptions = {}): Promise<{ sim: ModelSim; client: OpenAI }> {
  running = await startModelSim(options);
  return { sim: running, client: new OpenAI({ baseURL: running.url, apiKey: 'test-key', maxRetries: 0 }) };
}
async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
const hello = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] };
const searchTwice = scripted([
  {
    text: 'Looking.',
    toolCalls: [
      { name: 'search', arguments: { query: '秋茶 "sale"' } },
      { name: 'search', arguments: {} },
    ],
  },
  { text: 'Found.' },
]);

describe('answers', () => {
  test('a streamed text arrives in pieces that join to the whole answer', async () => {
    const { client } = await start({ scenarios: [scripted([{ text: 'Autumn tea for everyone.' }])] });
    const chunks = await collect(await client.chat.completions.create({ ...hello, stream: true }));
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      'Autumn tea for everyone.',
    );
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  test('a text comes in chunks of as many characters as are wished for, none of them cut in two', async () => {
    const text = 'Tea 🎉🎉 for everyone.';
    const { client } = await start({
      scenarios: [scripted([{ text }])],
      latency: { firstTokenMs: 0, perChunkMs: 0, chunkCharacters: 5 },
    });
    const chunks = await collect(await client.chat.completions.create({ ...hello, stream: true }));
    const pieces = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content || []);
    expect(pieces).toEqual(['Tea 🎉', '🎉 for', ' ever', 'yone.']);
  });

  test('the usage chunk comes last, with no choices, when it is asked for', async () => {
    const { client } = await start();
    const request = { ...hello, stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(await client.chat.completions.create(request));
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } },
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  test('a tool that tool_choice forbids in this turn is not called, whatever the scenario says', async () => {
    const calls = ['search', 'save'].map((name) => ({ name, arguments: {} }));
    const { client } = await start({ scenarios: [scripted([{ toolCalls: calls }])] });
    const tools = ['search', 'save'].map((name) => ({ type: 'function' as const, function: { name } }));
    const called = async (tool_choice: OpenAI.ChatCompletionToolChoiceOption) => {
      const { choices } = await client.chat.completions.create({ ...hello, tools, tool_choice });
      const message = choices[0]?.message;
      const names = message?.tool_calls?.map((call) => call.type === 'function' && call.function.name);
      return names ?? message?.content;
    };
    const allowed = { mode: 'auto' as const, tools: tools.slice(1) };
    expect(await called('auto')).toEqual(['search', 'save']);
    expect(await called({ type: 'allowed_tools', allowed_tools: allowed })).toEqual(['save']);
    expect(await called({ type: 'function', function: { name: 'search' } })).toEqual(['search']);
    expect(await called('none')).toContain('may not be called');
  });

  test('streamed tool calls are put together by index, from an opening with id and name and from fragments', async () => {
    const { client } = await start({ scenarios: [searchTwice] });
    const chunks = await collect(await client.chat.completions.create({ ...hello, stream: true }));
    const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    const openings = deltas.filter((delta) => delta.id);
    expect(openings.map((delta) => [delta.index, delta.type, delta.function])).toEqual([
      [0, 'function', { name: 'search', arguments: '' }],
      [1, 'function', { name: 'search', arguments: '' }],
    ]);
    const first = deltas.filter((delta) => delta.index === 0).map((delta) => delta.function?.arguments ?? '');
    expect(first.length).toBeGreaterThan(2);
    expect(JSON.parse(first.join(''))).toEqual({ query: '秋茶 "sale"' });
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('the streamed and the whole form of an answer say the same', async () => {
    const { client } = await start({ scenarios: [searchTwice] });
    const whole = await client.chat.completions.create(hello);
    const streamed = await client.chat.completions.stream(hello).finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content);
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? []);
    expect(streamed.id).toBe(whole.id);
  });

  test('reasoning is sent apart from the answer, and before it', async () => {
    const { client } = await start({ scenarios: [scripted([{ reasoning: 'Think first.', text: 'Yes.' }])] });
    const chunks = await collect(await client.chat.completions.create({ ...hello, stream: true }));
    const deltas = chunks.map(
      (chunk) => chunk.choices[0]?.delta as { reasoning_content?: string; content?: string },
    );
    expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('Think first.');
    expect(deltas.findLastIndex((delta) => delta.reasoning_content)).toBeLessThan(
      deltas.findIndex((delta) => delta.content),
    );
  });

  test('without a scenario that fits, the simulator says what it is and repeats the user', async () => {
    const { client } = await start();
    const answer = await client.chat.completions.create(hello);
    expect(answer.choices[0]?.message.content).toContain('I am the Plinth model simulator');
    expect(answer.choices[0]?.message.content).toContain('"hello"');
  });
});

describe('determinism', () => {
  test('the same request gets the same bytes, also from another simulator', async () => {
    const body = JSON.stringify({ ...hello, stream: true });
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { sim } = await start({ scenarios: [searchTwice] });
      for (let time = 0; time < 2; time += 1) {
        texts.push(
          await (await fetch(`${sim.url}/chat/completions`, { method: 'POST', headers, body })).text(),
        );
      }
      await sim.close();
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('the step of a script is read from the request, and later calls get new ids', async () => {
    const { client } = await start({
      scenarios: [scripted([{ toolCalls: [{ name: 'a', arguments: {} }] }])],
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [...hello.messages];
    const ids = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = (await client.chat.completions.create({ model: 'm', messages })).choices[0] ?? {};
      const [call] = message?.tool_calls ?? [];
      if (!message || !call) throw new Error('no call');
      ids.add(call.id);
      expect(call.id).toMatch(/^call_[0-9a-f]{24}$/);
      messages.push(
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: '' },
      );
    }
    expect(ids.size).toBe(3);
  });
});

describe('other endpoints', () => {
  test('models are listed and health is told', async () => {
    const { sim, client } = await start();
    expect((await collect(await client.models.list())).map((model) => model.id)).toContain('plinth-sim');
    expect(await (await fetch(new URL('/healthz', sim.url))).json()).toEqual({ status: 'ok' });
  });

  test('an unknown path is 404 and a wrong method 405, in the shape of the API', async () => {
    const { sim } = await start();
    const unknown = await fetch(`${sim.url}/responses`, { method: 'POST' });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { message: 'Invalid URL (POST /v1/responses)' } });
    expect((await fetch(`${sim.url}/chat/completions`)).status).toBe(405);
  });
});
