import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { finishJob, type JobCallbackOptions, PlinthClientError, reportProgress } from './index.js';

const URL_ = 'https://plinth.test/v1/callbacks/cbt_secret';
const DONE = { status: 'succeeded', result: { ok: true } } as const;

/** A server that answers with these statuses in turn (0: there is none), and the waits between. */
function service(...statuses: number[]) {
  const sent: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  const options: JobCallbackOptions = {
    fetch: async (url, init) => {
      sent.push({ url, init });
      const status = statuses.shift() ?? 200;
      if (status === 0) throw new TypeError('fetch failed');
      return new Response(status === 200 ? null : JSON.stringify({ code: `code_${status}` }), { status });
    },
    wait: async (delayMs) => void waits.push(delayMs),
  };
  return { sent, waits, options };
}

const failureOf = async (call: Promise<unknown>): Promise<PlinthClientError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!PlinthClientError.isInstance(error)) throw new Error(`not a PlinthClientError: ${String(error)}`);
  return error;
};

describe('the result of a job', () => {
  it('is sent again, the same, with growing waits while the server is away', async () => {
    const { sent, waits, options } = service(0, 503, 500, 200);
    await finishJob(URL_, DONE, options);
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    expect(new Set(sent.map(({ url, init }) => `${url} ${String(init.body)}`)).size).toBe(1);
  });

  it.each([400, 403, 404, 409, 410, 429])('is not sent again when the answer is %i', async (status) => {
    const { sent, waits, options } = service(status);
    expect(await failureOf(finishJob(URL_, DONE, options))).toMatchObject({ code: `code_${status}`, status });
    expect([sent.length, waits]).toEqual([1, []]);
  });

  it('is given up after eight tries in two minutes, and the error does not tell its secret address', async () => {
    const { sent, waits, options } = service(...new Array(20).fill(503));
    const error = await failureOf(finishJob(URL_, DONE, options));
    expect(error).toMatchObject({ code: 'code_503', status: 503 });
    expect([sent.length, waits.reduce((sum, one) => sum + one, 0)]).toEqual([8, 121_000]);
    const unreachable = await failureOf(finishJob(URL_, DONE, service(...new Array(20).fill(0)).options));
    expect(`${unreachable.message} ${error.message}`).not.toContain('cbt_secret');
  });

  it('is not sent any more once it is given up', async () => {
    const stop = new AbortController();
    const { sent, options } = service(503, 200);
    const wait = async () => stop.abort();
    const error = await failureOf(finishJob(URL_, DONE, { ...options, wait, signal: stop.signal }));
    expect(error.code).toBe('aborted');
    expect(sent).toHaveLength(1);
  });

  it('is signed for a tool that wants it, over the bytes that are sent', async () => {
    const { sent, options } = service();
    await finishJob(URL_, { status: 'succeeded', result: '茶' }, { ...options, signature: { secret: 'k' } });
    const { headers, body } = sent[0]?.init ?? {};
    const expected = createHmac('sha256', 'k').update(String(body)).digest('hex');
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-signature': expected });
  });
});

describe('the progress of a job', () => {
  it('is told once, whatever becomes of it', async () => {
    const { sent, waits, options } = service(503);
    const error = await failureOf(reportProgress(`${URL_}/progress`, { progress: 0.4 }, options));
    expect(error.status).toBe(503);
    expect([sent.length, waits]).toEqual([1, []]);
  });
});
