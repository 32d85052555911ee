import { describe, expect, it } from 'vitest';
import { createManualTiming } from '../../testing/manual-timing.js';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { createHttpClient } from './http-client.js';
import type { Transport } from './transport.js';

const client = (transport: Transport, timing = createManualTiming()) =>
  createHttpClient(transport, timing.wait);
const answering = (body: string, status: number) => client(async () => new Response(body, { status }));

describe('a JSON call', () => {
  it('sends a body as JSON and gives back the answer', async () => {
    let sent: RequestInit = {};
    const http = client(async (_path, init) => {
      sent = init;
      return new Response('{"id":"thr_1"}', { status: 201 });
    });
    expect(await http.post('/v1/threads', { title: '茶' }, { headers: { 'idempotency-key': 'k' } })).toEqual({
      id: 'thr_1',
    });
    expect(sent).toMatchObject({ method: 'POST', body: '{"title":"茶"}' });
    expect(new Headers(sent.headers).get('idempotency-key')).toBe('k');
  });

  it('a problem becomes a typed error with its code, facts and fields', async () => {
    const fields = [{ path: '/size', message: 'choose one' }];
    const problem = {
      type: 'x',
      title: 'Invalid',
      code: 'answer_invalid',
      detail: 'Correct the form.',
      requestId: 'req_1',
      errors: fields,
      facts: { a: 1 },
    };
    const error: unknown = await answering(JSON.stringify(problem), 422)
      .get('/x')
      .catch((cause: unknown) => cause);
    expect(PlinthClientError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'answer_invalid',
      status: 422,
      message: 'Correct the form.',
      fields,
      facts: { a: 1 },
      requestId: 'req_1',
      retryable: false,
    });
  });

  it.each([
    [502, '<html>bad gateway</html>', 'not_ready', true],
    [404, '', 'not_found', false],
    [401, 'null', 'unauthenticated', false],
    [403, '[]', 'forbidden', false],
    [400, '{"code":7,"errors":"no"}', 'invalid_request', false],
    [429, '', 'invalid_request', true],
  ])('a refusal %i without a problem gets the code of its status', async (status, body, code, retryable) => {
    await expect(answering(body, status).get('/x')).rejects.toMatchObject({
      code,
      status,
      retryable,
      fields: [],
    });
  });

  it('an answer that is not JSON is an error, also with status 200', async () => {
    await expect(answering('<html>', 200).get('/x')).rejects.toMatchObject({
      code: 'invalid_response',
      status: 200,
    });
  });

  it('ends after 30 s, though the call itself does not listen, also while the body is read', async () => {
    const silent: Transport[] = [
      () => new Promise(() => undefined),
      async () => new Response(new ReadableStream({ start: () => undefined })),
    ];
    for (const transport of silent) {
      const timing = createManualTiming();
      const refused = expect(client(transport, timing).get('/x')).rejects.toMatchObject({
        code: 'timeout',
        retryable: true,
      });
      await timing.advance(29_999);
      await timing.advance(1);
      await refused;
    }
  });

  it('ends when its signal aborts, and leaves no timer behind', async () => {
    const timing = createManualTiming();
    const stop = new AbortController();
    const call = client(() => new Promise(() => undefined), timing).get('/x', { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(timing.waiting()).toBe(0);
  });
});
