import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelError, type ModelRequest } from '@plinth/engine';
import { type ModelSim, type Reply, scripted, startModelSim } from '@plinth/model-sim';
import type { TenantId, Usage } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OpenAiGateway } from '../src/models/openai-gateway.js';

const acme = 'ten_acme' as TenantId;
const TIMEOUT_MS = 60_000;

let sim: ModelSim;
beforeEach(async () => {
  sim = await startModelSim({ apiKey: 'sk-test' });
});
afterEach(() => sim.close());

/** A request whose bytes no serialiser would make again: odd spacing, key order, escapes and numbers. */
function requestOf(extra = ''): ModelRequest {
  const body = `{ "stream":true,"model":"plinth-sim",  "temperature":0.70, "messages":[{"content":"\\u79cb 秋 / \\/","role":"user"}],"stream_options":{"include_usage":true}${extra} }`;
  return { body, digest: createHash('sha256').update(body).digest('hex'), timeoutMs: TIMEOUT_MS };
}

function setUp(options: { apiKey?: string; baseUrl?: string } = {}) {
  const clock = new ManualClock();
  const gateway = new OpenAiGateway({ apiKey: 'sk-test', baseUrl: sim.url, ...options }, clock);
  const abort = new AbortController();
  const shown = { text: [] as string[], reasoning: [] as string[], usage: [] as Usage[] };
  const handler = {
    onText: (text: string) => void shown.text.push(text),
    onReasoning: (text: string) => void shown.reasoning.push(text),
    onUsage: (usage: Usage) => void shown.usage.push(usage),
  };
  const stream = (request = requestOf()) => gateway.stream(acme, request, handler, abort.signal);
  return { abort, clock, gateway, shown, stream };
}

async function failureOf(attempt: Promise<unknown>): Promise<ModelError> {
  const error = await attempt.catch((caught: unknown) => caught);
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${String(error)}`);
  return error;
}

const plays = (...steps: Reply[]) => sim.setScenarios([scripted(steps)]);
const TOOLS = `,"tools":[${['look', 'draw']
  .map((name) => `{"type":"function","function":{"name":"${name}","parameters":{"type":"object"}}}`)
  .join(',')}]`;

describe('asking the model', () => {
  test('the bytes that were digested are the bytes that are sent', async () => {
    plays({ text: 'Hi' });
    const { stream } = setUp();
    const request = requestOf();
    await stream(request);
    const [recorded] = sim.requests;
    expect(recorded?.raw).toBe(request.body);
    expect(
      createHash('sha256')
        .update(recorded?.raw ?? '')
        .digest('hex'),
    ).toBe(request.digest);
    expect(recorded?.headers).toMatchObject({
      authorization: 'Bearer sk-test',
      'content-type': 'application/json',
    });
  });

  test('text and reasoning are handed on as they stream, and the reply is their sum', async () => {
    plays({ reasoning: 'They greet me.', text: 'Hello, tea friend! 秋季茶会。' });
    const { clock, shown, stream } = setUp();
    const reply = await stream();
    expect(shown.text.length).toBeGreaterThan(1);
    expect(shown.text.join('')).toBe('Hello, tea friend! 秋季茶会。');
    expect(shown.reasoning.join('')).toBe('They greet me.');
    expect(reply.text).toBe(shown.text.join(''));
    expect(reply.toolCalls).toEqual([]);
    expect(reply.assistantRaw).toBe('{"role":"assistant","content":"Hello, tea friend! 秋季茶会。"}');
    expect(shown.usage).toEqual([reply.usage]);
    expect(reply.usage.inputTokens).toBeGreaterThan(0);
    expect(reply.usage.outputTokens).toBeGreaterThan(0);
    expect(clock.waiting).toBe(0);
  });

  test('tool calls are put together from their fragments, with the arguments as the model wrote them', async () => {
    const written = '{"b" : 1.0,"a":"a long enough text to be sent in several pieces"}';
    plays({
      toolCalls: [
        { name: 'look', arguments: written },
        { name: 'draw', arguments: 'no json' },
      ],
    });
    const reply = await setUp().stream(requestOf(TOOLS));
    expect(reply.toolCalls).toEqual([
      { id: expect.stringMatching(/./), name: 'look', arguments: written },
      { id: expect.stringMatching(/./), name: 'draw', arguments: 'no json' },
    ]);
    const [first, second] = reply.toolCalls;
    expect(first?.id).not.toBe(second?.id);
    expect(reply.assistantRaw).toBe(
      JSON.stringify({
        role: 'assistant',
        content: null,
        tool_calls: [first, second].map((call) => ({
          id: call?.id,
          type: 'function',
          function: { name: call?.name, arguments: call?.arguments },
        })),
      }),
    );
  });

  test('what was said beside a tool call stays in the message', async () => {
    plays({ text: 'Let me see.', toolCalls: [{ name: 'look', arguments: {} }] });
    const reply = await setUp().stream(requestOf(TOOLS));
    expect(JSON.parse(reply.assistantRaw)).toMatchObject({
      content: 'Let me see.',
      tool_calls: [{ type: 'function' }],
    });
  });
});

describe('when the endpoint fails', () => {
  test.each([
    [400, 'rejected', false],
    [401, 'rejected', false],
    [403, 'rejected', false],
    [404, 'rejected', false],
    [408, 'timeout', true],
    [429, 'throttled', true],
    [500, 'server_error', true],
    [503, 'server_error', true],
  ])('status %d is %s, retryable: %s, and is asked once', async (status, kind, retryable) => {
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status } }]);
    expect(await failureOf(setUp().stream())).toMatchObject({ kind, retryable });
    expect(sim.requests).toHaveLength(1);
  });

  test.each<[number, unknown, object]>([
    [
      400,
      {
        error: {
          message: 'prompt is too long: 213462 tokens > 200000 maximum',
          type: 'invalid_request_error',
        },
      },
      { kind: 'tokens', limit: 200_000, actual: 213_462 },
    ],
    // As Gemini has it, and as no package of OpenAI's reads it.
    [
      400,
      [{ error: { code: 400, message: 'Request payload size exceeds the limit: 20971520 bytes.' } }],
      { kind: 'body_bytes', limit: 20_971_520, actual: null },
    ],
    [
      500,
      [{ error: { code: 500, status: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted.' } }],
      { kind: 'body_bytes', limit: null, actual: null },
    ],
    [413, { detail: 'Payload Too Large' }, { kind: 'body_bytes', limit: null, actual: null }],
  ])(
    'C6: %s %o is a request that was too large, which waiting does not help',
    async (status, body, overflow) => {
      sim.injectFaults([{ when: 'next', fault: { kind: 'status', status, body } }]);
      expect(await failureOf(setUp().stream())).toMatchObject({
        kind: 'context_overflow',
        retryable: false,
        overflow,
      });
      expect(sim.requests).toHaveLength(1);
    },
  );

  test('C6: a refusal for haste that speaks of tokens is no such thing', async () => {
    const body = { error: { message: 'ThrottlingException: Too many tokens, please wait.' } };
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 429, body } }]);
    expect(await failureOf(setUp().stream())).toMatchObject({ kind: 'throttled', retryable: true });
  });

  test('a used-up balance does not pass by waiting', async () => {
    const body = {
      error: {
        message: 'You exceeded your current quota.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      },
    };
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 429, body } }]);
    expect(await failureOf(setUp().stream())).toMatchObject({ kind: 'throttled', retryable: false });
  });

  test('a wrong key is rejected, in the words of the endpoint', async () => {
    const failure = await failureOf(setUp({ apiKey: 'sk-wrong-and-long-enough' }).stream());
    expect(failure).toMatchObject({ kind: 'rejected', retryable: false });
    expect(failure.message).toContain('Incorrect API key');
    expect(failure.message).not.toContain('sk-wrong-and-long-enough');
  });

  test.each([
    [
      'an array of one',
      [
        {
          error: { code: 400, message: 'The input token count (9) exceeds it.', status: 'INVALID_ARGUMENT' },
        },
      ],
      'The input token count (9) exceeds it.',
    ],
    ['a bare message', { message: 'Too many tokens, please wait.' }, 'Too many tokens, please wait.'],
    ['a detail', { detail: [{ msg: 'field required' }] }, 'field required'],
    ['a text for an error', { error: 'model is loading' }, 'model is loading'],
    ['a page', '<h1>413 Request Entity Too Large</h1>', '413 Request Entity Too Large'],
  ])('an error in the shape of %s keeps its words', async (_shape, body, words) => {
    sim.injectFaults([{ when: 'next', fault: { kind: 'status', status: 400, body } }]);
    expect((await failureOf(setUp().stream())).message).toContain(words);
  });

  test('a connection that is reset in the middle is unreachable; what was shown was shown', async () => {
    plays({ text: 'one two three four five six' });
    sim.injectFaults([{ when: 'next', fault: { kind: 'reset', afterChunks: 3 } }]);
    const { clock, shown, stream } = setUp();
    expect(await failureOf(stream())).toMatchObject({ kind: 'unreachable', retryable: true });
    expect(shown.text.join('')).toMatch(/^one/);
    expect(clock.waiting).toBe(0);
  });

  test('an endpoint that is not there is unreachable', async () => {
    expect(await failureOf(setUp({ baseUrl: 'http://127.0.0.1:1/v1' }).stream())).toMatchObject({
      kind: 'unreachable',
      retryable: true,
    });
  });

  test('no complete answer in time is a timeout, and the request is cut', async () => {
    sim.injectFaults([{ when: 'next', fault: { kind: 'hang' } }]);
    const { clock, stream } = setUp();
    const failure = failureOf(stream());
    await vi.waitFor(() => expect(sim.requests).toHaveLength(1));
    clock.advance(TIMEOUT_MS);
    expect(await failure).toMatchObject({ kind: 'timeout', retryable: true });
    await vi.waitFor(() => expect(sim.requests[0]?.aborted).toBe(true));
  });
});

describe('when the run is cancelled', () => {
  const reason = new Error('cancelled by its user');

  test('before the first byte, the call rejects with the reason and the request is cut', async () => {
    sim.injectFaults([{ when: 'next', fault: { kind: 'hang' } }]);
    const { abort, clock, stream } = setUp();
    const reply = stream();
    await vi.waitFor(() => expect(sim.requests).toHaveLength(1));
    abort.abort(reason);
    await expect(reply).rejects.toBe(reason);
    await vi.waitFor(() => expect(sim.requests[0]?.aborted).toBe(true));
    expect(clock.waiting).toBe(0);
  });

  test('while the answer streams, too, and nothing more is shown', async () => {
    plays({ text: 'word '.repeat(5000) });
    sim.setLatency({ firstTokenMs: 0, perChunkMs: 5 });
    const { abort, shown, stream } = setUp();
    const reply = stream();
    await vi.waitFor(() => expect(shown.text.length).toBeGreaterThan(0));
    abort.abort(reason);
    const seen = shown.text.length;
    await expect(reply).rejects.toBe(reason);
    await vi.waitFor(() => expect(sim.requests[0]?.aborted).toBe(true));
    expect(shown.text.length).toBe(seen);
  });

  test('beforehand, nothing is sent', async () => {
    const { abort, stream } = setUp();
    abort.abort(reason);
    await expect(stream()).rejects.toBe(reason);
    expect(sim.requests).toHaveLength(0);
  });
});

describe('when the answer breaks the format', () => {
  const chunk = (delta: object, finishReason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
  const done = 'data: [DONE]\n\n';

  /** An endpoint that answers with these very bytes. */
  async function answeredWith(text: string, contentType = 'text/event-stream'): Promise<unknown> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    try {
      return await setUp({ baseUrl }).stream();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test.each<[string, string]>([
    ['ends without a finish reason', chunk({ content: 'Hel' }) + done],
    ['is empty', ''],
    ['is not JSON', 'data: {"choices": [\n\n'],
    [
      'calls a tool without an id',
      chunk({ tool_calls: [{ index: 0, function: { name: 'look', arguments: '{}' } }] }, 'tool_calls') + done,
    ],
    [
      'calls a tool without a name',
      chunk({ tool_calls: [{ index: 0, id: 'x', function: { arguments: '{}' } }] }, 'tool_calls') + done,
    ],
  ])('an answer that %s is a bad response', async (_name, text) => {
    expect(await failureOf(answeredWith(text))).toMatchObject({ kind: 'bad_response', retryable: true });
  });

  test('a page of HTML with status 200 is a bad response', async () => {
    expect(await failureOf(answeredWith('<html>Welcome</html>', 'text/html'))).toMatchObject({
      kind: 'bad_response',
    });
  });

  test('an error inside the stream is an error of the server', async () => {
    const text = `${chunk({ content: 'Hel' })}data: ${JSON.stringify({ error: { message: 'overloaded', type: 'server_error' } })}\n\n`;
    expect(await failureOf(answeredWith(text))).toMatchObject({ kind: 'server_error', retryable: true });
  });

  test("an answer that the provider's filter stopped is rejected", async () => {
    expect(await failureOf(answeredWith(chunk({ content: 'Hel' }, 'content_filter') + done))).toMatchObject({
      kind: 'rejected',
      retryable: false,
    });
  });

  test('cached tokens, interleaved fragments and ids that are repeated are read as compatible servers send them', async () => {
    const call = (index: number, id: string, name: string | undefined, args: string) =>
      chunk({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
    const usage = {
      prompt_tokens: 20,
      completion_tokens: 7,
      total_tokens: 27,
      prompt_tokens_details: { cached_tokens: 12 },
    };
    const text = [
      call(1, 'b', 'draw', '{"x"'),
      call(0, 'a', 'look', '{'),
      call(1, 'b', undefined, ':1}'),
      call(0, '', '', '}'),
      chunk({ reasoning: 'Both at once.' }),
      chunk({}, 'tool_calls'),
      `data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`,
      done,
    ].join('');
    expect(await answeredWith(text)).toMatchObject({
      toolCalls: [
        { id: 'a', name: 'look', arguments: '{}' },
        { id: 'b', name: 'draw', arguments: '{"x":1}' },
      ],
      usage: { inputTokens: 20, cachedInputTokens: 12, outputTokens: 7 },
    });
  });
});
