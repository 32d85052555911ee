import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createPlinthServer, PlinthClientError, type PlinthServerOptions } from './index.js';

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer };

let server: Server;
let received: Received[];
let reply: (response: ServerResponse, request: Received) => void;

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** Over a real socket. */
beforeEach(async () => {
  received = [];
  reply = json({});
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks) };
    received.push(one);
    reply(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const plinth = (options: Partial<PlinthServerOptions> = {}) =>
  createPlinthServer({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    apiKey: 'plk_secret',
    ...options,
  });

const failureOf = async (call: Promise<unknown>): Promise<PlinthClientError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!PlinthClientError.isInstance(error)) throw new Error(`not a PlinthClientError: ${String(error)}`);
  return error;
};

describe('a call of a back end', () => {
  it('carries the key, and its path, query and body as the document has them', async () => {
    reply = json({ runId: 'run_1', threadId: 'thr_1', messageId: 'msg_1', userMessageId: 'msg_0' });
    const run = await plinth().post('/v1/threads/{threadId}/runs', {
      params: { path: { threadId: 'a/b ?' } },
      body: { agent: 'poster-studio', endUserId: 'user-42', input: { text: '茶' } },
      idempotencyKey: 'order-7',
    });
    expect(run.messageId).toBe('msg_1');
    await plinth().get('/v1/runs', { params: { query: { status: 'interrupted', limit: 5 } } });
    const [first, second] = received;
    expect(first).toMatchObject({
      method: 'POST',
      url: '/v1/threads/a%2Fb%20%3F/runs',
      headers: {
        authorization: 'Bearer plk_secret',
        'content-type': 'application/json',
        'idempotency-key': 'order-7',
      },
    });
    expect(JSON.parse(String(first?.body))).toMatchObject({ input: { text: '茶' } });
    expect(second?.url).toBe('/v1/runs?status=interrupted&limit=5');
    expect(second?.headers).not.toHaveProperty('idempotency-key');
  });

  it('has no address that lasts as long as its reader: types refuse it', () => {
    // @ts-expect-error a stream is followed with createPlinth
    const call = () => plinth().get('/v1/messages/{messageId}/events', {});
    expect(call).toBeTypeOf('function');
  });

  it('sends bytes as they are', async () => {
    const bytes = new Uint8Array([0, 255, 7]);
    await plinth().post('/v1/uploads', {
      params: { query: { title: 'a.bin', endUserId: 'ada' } },
      body: bytes,
    });
    expect(received[0]?.body.equals(Buffer.from(bytes))).toBe(true);
    expect(received[0]?.headers['content-type']).toBe('application/octet-stream');
  });

  it('mints a session token', async () => {
    reply = json({ token: 'a.b.c', expiresAt: '2026-01-01T00:00:00.000Z' });
    const { token } = await plinth().mintSessionToken({ endUserId: 'ada', scopes: ['debug'] });
    expect(token).toBe('a.b.c');
    expect(JSON.parse(String(received[0]?.body))).toEqual({ endUserId: 'ada', scopes: ['debug'] });
  });

  it('goes through the fetch that it was given', async () => {
    const seen: string[] = [];
    const own = (request: Request) => {
      seen.push(request.url);
      return fetch(request);
    };
    await plinth({ fetch: own }).get('/v1/runs');
    expect(seen).toEqual([expect.stringMatching(/\/v1\/runs$/)]);
  });
});

describe('a call that fails', () => {
  it('tells the code, the fields and the id of the request, as the client of a page does', async () => {
    const problem = {
      type: 'about:blank',
      title: 'invalid request',
      status: 400,
      code: 'invalid_request',
      detail: 'Correct and send again.',
      requestId: 'req_9',
      errors: [{ path: 'input.text', message: 'is missing' }],
      facts: { a: 1 },
    };
    reply = json(problem, 400);
    const error = await failureOf(plinth().get('/v1/runs'));
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      message: 'Correct and send again.',
      requestId: 'req_9',
      fields: problem.errors,
      facts: { a: 1 },
      retryable: false,
    });
  });

  it('does so also where a proxy answers without a code', async () => {
    reply = (response) => void response.writeHead(502).end('<html>');
    expect(await failureOf(plinth().get('/v1/runs'))).toMatchObject({ code: 'not_ready', retryable: true });
  });

  it('says that nobody was there, or that it was no JSON', async () => {
    const nobody = createPlinthServer({ baseUrl: 'http://127.0.0.1:1', apiKey: 'plk_secret' });
    const network = await failureOf(nobody.get('/v1/runs'));
    expect(network).toMatchObject({ code: 'network', status: 0, retryable: true });
    expect(network.message).not.toContain('plk_secret');
    reply = (response) => void response.writeHead(200).end('<html>');
    expect(await failureOf(plinth().get('/v1/runs'))).toMatchObject({ code: 'invalid_response' });
  });

  it('ends after its time, also while the answer comes', async () => {
    for (const silent of [
      () => undefined,
      (response: ServerResponse) => void response.writeHead(200).write('{'),
    ]) {
      reply = silent;
      const timing = createManualTiming();
      const failed = failureOf(plinth({ wait: timing.wait }).get('/v1/runs', { timeoutMs: 5_000 }));
      await timing.advance(4_999);
      await timing.advance(1);
      expect(await failed).toMatchObject({ code: 'timeout', retryable: true });
    }
  });

  it('does not end at once for having all the time there is', async () => {
    expect(await plinth().get('/v1/runs', { timeoutMs: Number.POSITIVE_INFINITY })).toEqual({});
  });

  it('ends when it is given up', async () => {
    reply = () => undefined;
    const stop = new AbortController();
    const failed = failureOf(plinth().get('/v1/runs', { signal: stop.signal }));
    stop.abort();
    expect(await failed).toMatchObject({ code: 'aborted', retryable: false });
  });
});

describe('a client of a back end', () => {
  it('is not made in a page, where its key would be everybody’s', () => {
    vi.stubGlobal('document', {});
    expect(() => plinth()).toThrow(/for back ends/);
  });

  it('is not made for an address that is not whole', () => {
    expect(() => plinth({ baseUrl: '/plinth' })).toThrow(/whole address/);
  });
});
