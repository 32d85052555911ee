import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolInvocation } from '@plinth/engine';
import { type InterruptId, type TenantId, toolDefinition } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RemoteExecutor } from '../src/tools/remote-executor.js';
import { outboundTo } from './outbound-fixture.js';

const acme = 'ten_acme' as TenantId;
const TIMEOUT_MS = 30_000;

interface Received {
  headers: IncomingMessage['headers'];
  body: unknown;
  cut: boolean;
}
type Answer = (response: ServerResponse) => void;
const status =
  (code: number, body: unknown = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const hang: Answer = () => {};
const reset: Answer = (response) => void response.socket?.resetAndDestroy();

/** A job service that answers with each of `answers` in turn, and with the last one from then on. */
let answers: Answer[] = [];
let received: Received[] = [];
let service: Server;
let url: string;

beforeEach(async () => {
  answers = [status(202)];
  received = [];
  service = createServer(async (request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const entry: Received = { headers: request.headers, body: JSON.parse(text), cut: false };
    received.push(entry);
    response.on('close', () => {
      entry.cut = !response.writableFinished;
    });
    answer?.(response);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/jobs`;
});
afterEach(async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

const NOT_POLLED = {
  note: async () => {
    throw new Error('no job of this file is polled');
  },
};

function invocation(idempotent: boolean, jobsUrl = url): ToolInvocation {
  const tool = toolDefinition.parse({
    key: 'generate_poster',
    title: 'Draw',
    description: 'Draws.',
    parameters: {},
    executor: { kind: 'remote', url: jobsUrl },
    idempotent,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    callId: 'tc_1',
    runId: 'run_1',
    tool,
    arguments: { headline: '秋季茶会' },
    idempotencyKey: 'tc_1',
    callback: {
      interruptId: 'int_1' as InterruptId,
      url: 'https://plinth.test/v1/callbacks/cbt_x',
      progressUrl: 'https://plinth.test/v1/callbacks/cbt_x/progress',
    },
    offered: [],
    progress: () => {},
  };
}

function setUp() {
  const clock = new ManualClock();
  const abort = new AbortController();
  const executor = new RemoteExecutor(outboundTo(['127.0.0.1'], { clock }), NOT_POLLED);
  const execute = (idempotent = true, jobsUrl = url) =>
    executor.execute(acme, invocation(idempotent, jobsUrl), abort.signal);
  return { clock, abort, execute };
}

describe('starting a remote job', () => {
  test('the service gets the arguments, both callback URLs and the idempotency key in one POST', async () => {
    const { clock, execute } = setUp();
    expect(await execute()).toEqual({ kind: 'accepted' });
    expect(received).toHaveLength(1);
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'tc_1',
    });
    expect(received[0]?.body).toEqual({
      callId: 'tc_1',
      runId: 'run_1',
      idempotencyKey: 'tc_1',
      arguments: { headline: '秋季茶会' },
      callbackUrl: 'https://plinth.test/v1/callbacks/cbt_x',
      progressUrl: 'https://plinth.test/v1/callbacks/cbt_x/progress',
    });
    expect(clock.waiting).toBe(0);
  });

  test.each<[string, unknown, { code: string; message: string }]>([
    [
      '{code, message}',
      { code: 'no_paper', message: 'Out of A3.' },
      { code: 'no_paper', message: 'Out of A3.' },
    ],
    [
      'an error object',
      { error: { code: 'no_paper', message: 'Out of A3.' } },
      { code: 'no_paper', message: 'Out of A3.' },
    ],
    [
      'a problem',
      { type: 'about:blank', title: 'No', detail: 'Out of A3.' },
      { code: 'http_422', message: 'Out of A3.' },
    ],
    ['text', 'Out of A3.', { code: 'http_422', message: 'Out of A3.' }],
    ['nothing', '', { code: 'http_422', message: 'The service refused it with status 422.' }],
  ])(
    'a refusal told by %s reaches the model in the words of the service, and is not tried again',
    async (_name, body, error) => {
      const { execute } = setUp();
      answers = [status(422, body)];
      expect(await execute()).toEqual({ kind: 'failed', error });
      expect(received).toHaveLength(1);
    },
  );

  test('a long refusal is cut', async () => {
    const { execute } = setUp();
    answers = [status(400, { code: 'c'.repeat(500), message: 'm'.repeat(9000) })];
    const outcome = await execute();
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: { code: 'c'.repeat(100), message: 'm'.repeat(2000) },
    });
  });

  test('a refusal that never ends is read up to its limit', async () => {
    const { execute } = setUp();
    answers = [
      (response) => {
        response.writeHead(400);
        const more = () => {
          while (response.write('x'.repeat(16_384)));
        };
        response.on('drain', more);
        more();
      },
    ];
    expect(await execute()).toMatchObject({
      kind: 'failed',
      error: { code: 'http_400', message: 'x'.repeat(2000) },
    });
    await vi.waitFor(() => expect(received[0]?.cut).toBe(true));
  });

  test.each<[string, Answer, string]>([
    ['5xx', status(503), 'answered 503'],
    ['a reset connection', reset, 'cut the connection'],
  ])('%s is one attempt that came to nothing: unavailable', async (_name, fault, what) => {
    const { clock, execute } = setUp();
    answers = [fault];
    expect(await execute()).toMatchObject({
      kind: 'failed',
      error: { code: 'unavailable', message: expect.stringContaining(`The service of this tool ${what}`) },
    });
    expect(received).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test.each<[string, Answer, string]>([
    ['a connection that breaks', reset, 'connection_lost'],
    ['502', status(502), 'http_502'],
    [
      'a redirect, which is not followed',
      status(307, '', { location: 'http://127.0.0.1:1/' }),
      'bad_redirect',
    ],
  ])(
    '%s: a tool that may not run twice is tried once, and nobody knows whether the job was taken',
    async (_name, fault, code) => {
      const { execute } = setUp();
      answers = [fault];
      expect(await execute(false)).toMatchObject({ kind: 'unknown', error: { code } });
      expect(received).toHaveLength(1);
    },
  );

  test.each([
    ['is not there', 'closed'],
    ['stands at a port of the system', 'http://127.0.0.1:1/jobs'],
    ['has no address', 'http://127-0-0-1.invalid/jobs'],
  ])('a service that %s has not taken the job, and its address is not told', async (_name, jobsUrl) => {
    const { execute } = setUp();
    if (jobsUrl === 'closed') await new Promise((resolve) => service.close(resolve));
    const outcome = await execute(false, jobsUrl === 'closed' ? url : jobsUrl);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
    expect(JSON.stringify(outcome)).not.toMatch(/127.0.0.1/);
  });

  test('an address that the policy does not allow is never called, not even a second time', async () => {
    const clock = new ManualClock();
    const executor = new RemoteExecutor(outboundTo([], { clock }), NOT_POLLED);
    const outcome = await executor.execute(acme, invocation(true), new AbortController().signal);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'blocked_address' } });
    expect(received).toHaveLength(0);
  });

  test('no answer within the time of the tool leaves the outcome unknown, and the request is cut', async () => {
    const { clock, execute } = setUp();
    answers = [hang];
    const outcome = execute(false);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    clock.advance(TIMEOUT_MS);
    expect(await outcome).toMatchObject({
      kind: 'unknown',
      error: { code: 'timed_out', message: expect.stringContaining('within 30000 ms') },
    });
    await vi.waitFor(() => expect(received[0]?.cut).toBe(true));
  });

  test('a cancelled run cuts the request and rises with the reason', async () => {
    const { abort, clock, execute } = setUp();
    answers = [hang];
    const outcome = execute();
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const reason = new Error('cancelled');
    abort.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await vi.waitFor(() => expect(received[0]?.cut).toBe(true));
    expect(clock.waiting).toBe(0);
  });

  test('a run that is cancelled already starts no job', async () => {
    const { abort, execute } = setUp();
    abort.abort(new Error('cancelled'));
    await expect(execute()).rejects.toThrow('cancelled');
    expect(received).toHaveLength(0);
  });
});

describe('a job that is not wanted any more', () => {
  const cancel = (cancelUrl: string | undefined, clock = new ManualClock()) => {
    const tool = toolDefinition.parse({
      ...invocation(false).tool,
      executor: { kind: 'remote', url, ...(cancelUrl === undefined ? {} : { cancelUrl }) },
    });
    const cancellation = { callId: 'tc_1', tool, idempotencyKey: 'tc_1', reason: 'superseded' } as const;
    return new RemoteExecutor(outboundTo(['127.0.0.1'], { clock }), NOT_POLLED).cancel(acme, cancellation);
  };

  test('is told once, at the address that its tool names', async () => {
    await cancel(url);
    expect(received.map(({ body }) => body)).toEqual([
      { callId: 'tc_1', idempotencyKey: 'tc_1', reason: 'superseded' },
    ]);
    expect(received[0]?.headers['idempotency-key']).toBe('tc_1');
  });

  test('is not told when its tool names none', async () => {
    await cancel(undefined);
    expect(received).toEqual([]);
  });

  test.each([404, 409, 410])('that is over already (%i) is as wanted', async (code) => {
    answers = [status(code)];
    await cancel(url);
    expect(received).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['503', status(503)],
    ['a cut connection', reset],
  ])('%s is a failure, and is not tried again', async (_name, answer) => {
    answers = [answer];
    await expect(cancel(url)).rejects.toThrow(/^The service/);
    expect(received).toHaveLength(1);
  });

  test('at an address that the policy does not allow is not told', async () => {
    const clock = new ManualClock();
    const tool = toolDefinition.parse({
      ...invocation(false).tool,
      executor: { kind: 'remote', url, cancelUrl: url },
    });
    const cancellation = { callId: 'tc_1', tool, idempotencyKey: 'tc_1', reason: 'cancelled' } as const;
    const executor = new RemoteExecutor(outboundTo([], { clock }), NOT_POLLED);
    await expect(executor.cancel(acme, cancellation)).rejects.toThrow('not allowed');
    expect(received).toEqual([]);
  });

  test('a service that does not answer is left after five seconds', async () => {
    answers = [hang];
    const clock = new ManualClock();
    const told = cancel(url, clock);
    const refused = expect(told).rejects.toThrow('could not be told');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    clock.advance(5_000);
    await refused;
    await vi.waitFor(() => expect(received[0]?.cut).toBe(true));
  });
});
