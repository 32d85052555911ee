import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type PosterJobsOptions, posterJobs } from './poster-jobs.js';

const CALLBACK = 'http://plinth.test/v1/callbacks/t';
const PROGRESS = `${CALLBACK}/progress`;
const body = {
  callId: 'call_1',
  idempotencyKey: 'key_1',
  arguments: {
    style: 'bold',
    headline: '秋季茶叶促销',
    date: '10月9日',
    size: 'square',
    background: '#16161d',
    accent: '#ffd23f',
  },
  callbackUrl: CALLBACK,
  progressUrl: PROGRESS,
};

type Post = { url: string; body: Record<string, unknown> };
let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** The service with a fake network: `answers` are the statuses of the callbacks in order, 0 for no connection. */
async function start(answers: number[] = [], options: Partial<PosterJobsOptions> = {}) {
  const posts: Post[] = [];
  const waits: number[] = [];
  const fakeFetch: typeof fetch = async (input, init) => {
    const url = String(input);
    posts.push({ url, body: JSON.parse(String(init?.body)) as Post['body'] });
    expect(init?.signal).toBeInstanceOf(AbortSignal);
    const status = url === CALLBACK ? (answers.shift() ?? 200) : 200;
    if (status === 0) throw new TypeError('fetch failed');
    return new Response(null, { status });
  };
  app = Fastify();
  await app.register(posterJobs, {
    delayMs: 6_000,
    fetch: fakeFetch,
    wait: async (durationMs) => void waits.push(durationMs),
    render: async () => Buffer.from('png'),
    ...options,
  });
  const service = app;
  const post = (payload: unknown) =>
    service.inject({ method: 'POST', url: '/jobs/poster', payload: payload as object });
  const callbacks = () => posts.filter((one) => one.url === CALLBACK);
  return { app: service, posts, waits, post, callbacks };
}

describe('accepting a job', () => {
  test('it is answered at once, before anything is drawn', async () => {
    const { post, callbacks } = await start([], { wait: () => new Promise(() => undefined) });
    const response = await post(body);
    expect(response.statusCode).toBe(202);
    expect(response.json()).toMatchObject({
      jobId: expect.stringMatching(/^job_/),
      acceptedAt: expect.any(String),
    });
    expect(callbacks()).toHaveLength(0);
  });

  test('the same idempotency key gets the same job, which runs once', async () => {
    const { post, callbacks } = await start();
    const [first, second] = [await post(body), await post(body)];
    expect(second.json()).toEqual(first.json());
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    expect((await post(body)).json()).toEqual(first.json());
    const other = await post({ ...body, idempotencyKey: 'key_2' });
    expect(other.json().jobId).not.toBe(first.json().jobId);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(2));
  });

  test.each([
    [{ ...body, arguments: { ...body.arguments, size: 'A0' } }, 'arguments.size'],
    [{ ...body, arguments: { ...body.arguments, accent: 'red' } }, 'arguments.accent'],
    [{ ...body, callbackUrl: 'ftp://x' }, 'callbackUrl'],
    ['[]', 'body'],
  ])('an invalid job is refused with a problem that names the field (%#)', async (payload, field) => {
    const { app: service } = await start();
    const headers = { 'content-type': 'application/json' };
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const response = await service.inject({ method: 'POST', url: '/jobs/poster', headers, payload: text });
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json().detail).toContain(field);
  });
});

describe('the job', () => {
  test('tells its progress over the delay, then answers with the picture', async () => {
    const { post, posts, waits, callbacks } = await start();
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    const progress = posts.filter((one) => one.url === PROGRESS).map((one) => one.body.progress as number);
    expect(progress).toHaveLength(4);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(posts[0]?.body.message).toBe('正在铺纸');
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(6_000);
    expect(callbacks()[0]?.body).toEqual({
      status: 'succeeded',
      result: { summary: expect.stringContaining('秋季茶叶促销'), width: 1200, height: 1200 },
      files: [
        { name: 'poster.png', contentType: 'image/png', base64: Buffer.from('png').toString('base64') },
      ],
    });
  });

  test('does without a progress address', async () => {
    const { post, posts, callbacks } = await start();
    const { progressUrl: _none, ...rest } = body;
    await post(rest);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    expect(posts).toHaveLength(1);
  });

  test('that cannot be drawn answers with the reason', async () => {
    const { post, callbacks } = await start([], { render: () => Promise.reject(new Error('no ink')) });
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    expect(callbacks()[0]?.body).toEqual({
      status: 'failed',
      error: { code: 'render_failed', message: 'The poster could not be drawn: no ink' },
    });
  });
});

describe('a job that nobody waits for any more', () => {
  const cancellation = { callId: 'call_1', idempotencyKey: 'key_1', reason: 'cancelled' };

  test('stops drawing at its next step, and calls nobody back', async () => {
    const steps: (() => void)[] = [];
    let drawn = 0;
    const {
      app: service,
      post,
      posts,
      callbacks,
    } = await start([], {
      wait: () => new Promise<void>((resolve) => steps.push(resolve)),
      render: async () => {
        drawn += 1;
        return Buffer.from('png');
      },
    });
    await post(body);
    await vi.waitFor(() => expect(steps).toHaveLength(1));
    const cancel = () =>
      service.inject({ method: 'POST', url: '/jobs/poster/cancel', payload: cancellation });
    expect((await cancel()).json()).toEqual({ cancelled: true });
    steps[0]?.();
    await vi.waitFor(async () => expect((await cancel()).json()).toEqual({ cancelled: false }));
    expect(drawn).toBe(0);
    expect(posts.filter((one) => one.url === PROGRESS)).toHaveLength(1);
    expect(callbacks()).toHaveLength(0);
  });

  test('that it does not know, or has ended, is no error; a body without its key is', async () => {
    const { app: service, post, callbacks } = await start();
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    const cancel = (payload: object) =>
      service.inject({ method: 'POST', url: '/jobs/poster/cancel', payload });
    expect((await cancel(cancellation)).json()).toEqual({ cancelled: false });
    expect((await cancel({ callId: 'call_1' })).statusCode).toBe(400);
  });
});

describe('the callback', () => {
  test('is sent again, with growing waits, while the server is away', async () => {
    const { post, waits, callbacks } = await start([0, 503, 500, 200]);
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(4));
    expect(waits.slice(4)).toEqual([1_000, 2_000, 4_000]);
    expect(new Set(callbacks().map((one) => JSON.stringify(one.body))).size).toBe(1);
  });

  test.each([404, 409, 410])('answered %i is not sent again: the wait is over', async (status) => {
    const { post, callbacks, waits } = await start([status, 200]);
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(callbacks()).toHaveLength(1);
    expect(waits).toHaveLength(4);
  });

  test('is given up after eight tries', async () => {
    const { post, callbacks, waits } = await start(new Array(20).fill(503));
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(8));
    await new Promise((resolve) => setImmediate(resolve));
    expect(callbacks()).toHaveLength(8);
    expect(waits.slice(4).reduce((sum, wait) => sum + wait, 0)).toBe(121_000);
  });

  test('is not sent any more once the service has stopped', async () => {
    let release = () => {};
    const {
      app: service,
      post,
      callbacks,
    } = await start([], {
      wait: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    await post(body);
    await service.close();
    release();
    await new Promise((resolve) => setImmediate(resolve));
    expect(callbacks()).toHaveLength(0);
  });
});

describe('the delay', () => {
  test('can be read, and changed for the jobs that follow', async () => {
    const { app: service, post, waits, callbacks } = await start();
    expect((await service.inject('/jobs/settings')).json()).toEqual({ delayMs: 6_000 });
    const change = (payload: object) => service.inject({ method: 'PUT', url: '/jobs/settings', payload });
    expect((await change({ delayMs: 400 })).json()).toEqual({ delayMs: 400 });
    expect((await change({ delayMs: -1 })).statusCode).toBe(400);
    await post(body);
    await vi.waitFor(() => expect(callbacks()).toHaveLength(1));
    expect(waits.slice(0, 4)).toEqual([100, 100, 100, 100]);
  });
});
