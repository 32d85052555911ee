import {
  createPlinthServer,
  finishJob,
  PlinthClientError,
  type PlinthServer,
  reportProgress,
} from '@plinth/client/server';
import { scripted } from '@plinth/model-sim';
import { photo, until } from '@plinth/testkit/system';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askingModel, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
let acme: PlinthServer;
beforeAll(() => {
  acme = createPlinthServer({ baseUrl: plinth().url, apiKey: plinth().backend.credential });
});
beforeEach(() => plinth().sim.setScenarios([askingModel]));

const start = (text: string, idempotencyKey: string) =>
  acme.post('/v1/runs', {
    body: { agent: 'tester', endUserId: 'ada', input: { text } },
    idempotencyKey,
  });

const messageOf = (messageId: string) =>
  acme.get('/v1/messages/{messageId}', { params: { path: { messageId } } });

/** Milliseconds: a run with a picture starts a process for it, which takes its time on a busy machine. */
const PARKED_MS = 60_000;

const parked = (messageId: string) =>
  until(
    `${messageId} parked`,
    async () => {
      const { status, interrupts } = await messageOf(messageId);
      return status === 'interrupted' ? (interrupts[0] ?? null) : null;
    },
    PARKED_MS,
  );

const ended = (messageId: string) =>
  until(`the end of ${messageId}`, async () => {
    const view = await messageOf(messageId);
    return view.status === 'completed' || view.status === 'failed' ? view : null;
  });

const failureOf = async (call: Promise<unknown>): Promise<PlinthClientError> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!PlinthClientError.isInstance(error)) throw new Error(`not a PlinthClientError: ${String(error)}`);
  return error;
};

describe('the client of a back end, against a server', () => {
  it('goes through a run: starts it once however often it asks, answers it, and reads what the model saw', async () => {
    const run = await start('hello', 'order-7');
    expect(await start('hello', 'order-7')).toEqual(run);
    const wait = await parked(run.messageId);
    await acme.post('/v1/interrupts/{interruptId}/answer', {
      params: { path: { interruptId: wait.id } },
      body: { requestId: 'answer-0001', answer: { type: 'submit', value: { answer: 'rain' } } },
    });
    expect(await ended(run.messageId)).toMatchObject({ status: 'completed' });
    const { items } = await acme.get('/v1/threads/{threadId}/messages', {
      params: { path: { threadId: run.threadId }, query: { limit: 10 } },
    });
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const request = await acme.get('/v1/runs/{runId}/turns/{turn}/request', {
      params: { path: { runId: run.runId, turn: '1' } },
    });
    expect(request.verified).toBe(true);
    expect(request.messages.at(-1)).toMatchObject({ what: 'result', shadow: true });
  });

  it('tells a refusal by its code, with what it is about and the id of the request', async () => {
    await start('hello', 'order-8');
    const reused = await failureOf(start('something else', 'order-8'));
    expect(reused).toMatchObject({ code: 'idempotency_key_reused', status: 422, retryable: false });
    expect(reused.requestId).toMatch(/\S/);
    const invalid = await failureOf(
      // @ts-expect-error an input is asked for
      acme.post('/v1/runs', { body: { agent: 'tester', endUserId: 'ada' } }),
    );
    expect(invalid).toMatchObject({
      code: 'invalid_request',
      fields: [expect.objectContaining({ path: 'input' })],
    });
    const stranger = createPlinthServer({ baseUrl: plinth().url, apiKey: 'plk_of_nobody' });
    expect(await failureOf(stranger.get('/v1/runs'))).toMatchObject({ code: 'unauthenticated' });
  });

  it("finds nothing of another tenant's", async () => {
    const { runId } = await start('hello', 'order-9');
    const other = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
    const globex = createPlinthServer({ baseUrl: plinth().url, apiKey: other.credential });
    const path = { params: { path: { runId } } };
    expect(await failureOf(globex.get('/v1/runs/{runId}', path))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect((await acme.get('/v1/runs/{runId}', path)).id).toBe(runId);
  });

  it('mints a token that is good for its end user, and uploads a file for them', {
    timeout: 90_000,
  }, async () => {
    const { token } = await acme.mintSessionToken({ endUserId: 'grace', ttlSeconds: 60 });
    const grace = plinth().as(token);
    const upload = await acme.post('/v1/uploads', {
      params: { query: { title: 'shop.png', endUserId: 'grace' } },
      body: new Uint8Array(photo(30_000, 1)),
    });
    expect(upload).toMatchObject({ kind: 'image', mimeType: 'image/png' });
    const run = await grace.call<{ messageId: string }>('POST', '/v1/runs', {
      agent: 'tester',
      input: { text: 'See.', attachments: [{ uploadId: upload.id }] },
    });
    expect(await parked(run.messageId)).toMatchObject({ kind: 'component' });
  });
});

it('the service of a remote job tells its progress and its result, and hears when nobody wants one any more', async () => {
  plinth().sim.setScenarios([
    scripted([{ toolCalls: [{ name: 'order', arguments: { subject: 'tea' } }] }, { text: 'Ordered.' }]),
  ]);
  const run = await start('order tea', 'order-10');
  const { callbackUrl, progressUrl = '' } = await plinth().jobs.dispatchOf(run.runId);
  await parked(run.messageId);
  await reportProgress(progressUrl, { progress: 0.4, message: 'Weighing' });
  await finishJob(callbackUrl, { status: 'succeeded', result: { summary: 'A pound of tea' } });
  const { calls } = await ended(run.messageId);
  expect(calls).toMatchObject([{ tool: 'order', status: 'succeeded', summary: 'A pound of tea' }]);
  await finishJob(callbackUrl, { status: 'succeeded', result: { summary: 'A pound of tea' } });
  const late = await failureOf(finishJob(callbackUrl, { status: 'succeeded', result: 'coffee' }));
  expect(late.status).toBe(409);
});
