import { echo, scripted } from '@plinth/model-sim';
import { ApiClient } from '@plinth/testkit/system';
import { beforeEach, expect, it } from 'vitest';
import { askingModel, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
beforeEach(() => plinth().sim.setScenarios([askingModel]));

it('the same idempotency key gets the same run again; with another body it is refused', async () => {
  const ada = await plinth().session('ada');
  const first = await ada.start('hello', { key: 'key-1' });
  expect(await ada.start('hello', { key: 'key-1' })).toEqual(first);
  expect(
    await ada.raw(
      'POST',
      '/v1/runs',
      { agent: 'tester', input: { text: 'other' } },
      { 'idempotency-key': 'key-1' },
    ),
  ).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  const eve = await plinth().session('eve');
  expect((await eve.start('hello', { key: 'key-1' })).runId).not.toBe(first.runId);
});

it('a new message while a form waits closes it; `onBusy: reject` refuses instead', async () => {
  const ada = await plinth().session('ada');
  const run = await ada.start('hello');
  const waiting = await ada.parkedOn(run.messageId, 'ask');
  const refused = await ada.raw('POST', `/v1/threads/${run.threadId}/runs`, {
    agent: 'tester',
    input: { text: 'again' },
    onBusy: 'reject',
  });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'thread_busy', facts: { activeRunId: run.runId } },
  });

  await ada.start('again', { threadId: run.threadId });
  expect(await ada.message(run.messageId)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  await expect(ada.answer(waiting.id, { type: 'submit', value: { answer: 'late' } })).rejects.toMatchObject({
    status: 409,
    problem: { code: 'interrupt_closed', facts: { why: 'superseded' } },
  });
});

it('bad input names the field and says what to do, and nothing is written', async () => {
  const ada = await plinth().session('ada');
  const before = await ada.call<{ items: unknown[] }>('GET', '/v1/runs');
  expect(await ada.raw('POST', '/v1/runs', { agent: 'tester', input: { text: '  ' } })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', errors: [{ path: 'input.text' }] },
  });
  expect(await ada.raw('POST', '/v1/runs', { agent: 'nobody', input: { text: 'x' } })).toMatchObject({
    status: 404,
  });
  expect(
    await ada.raw('POST', '/v1/runs', { agent: 'tester', input: { text: 'x' }, extra: 1 }),
  ).toMatchObject({ status: 400 });
  expect(
    await plinth().backend.raw('POST', '/v1/runs', { agent: 'tester', input: { text: 'x' } }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'endUserId' }] },
  });
  const notJson = await fetch(`${plinth().url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.credential}`, 'content-type': 'application/json' },
    body: '{',
  });
  expect(notJson.status).toBe(400);
  expect(await notJson.json()).toMatchObject({ code: 'invalid_request' });
  expect(await ada.call('GET', '/v1/runs')).toEqual(before);
});

it('a submission that does not fit the schema is refused with its fields, and the form stays open', async () => {
  const ada = await plinth().session('ada');
  const run = await ada.start('hello');
  const { id } = await ada.parkedOn(run.messageId, 'ask');
  await expect(ada.answer(id, { type: 'submit', value: { answer: '' } })).rejects.toMatchObject({
    status: 422,
    problem: { code: 'answer_invalid', errors: [{ path: 'answer.value.answer' }] },
  });
  await expect(ada.answer(id, { type: 'approve' })).rejects.toMatchObject({ status: 422 });
  await ada.answer(id, { type: 'submit', value: { answer: 'because' } });
  expect(await ada.ended(run.messageId)).toMatchObject({ status: 'completed', reason: 'final_answer' });
});

it('a submission is read once by the model and is not repeated in the chat', async () => {
  const ada = await plinth().session('ada');
  plinth().sim.clearRequests();
  const run = await ada.start('hello');
  const { id } = await ada.parkedOn(run.messageId, 'ask');
  await ada.answer(id, { type: 'submit', value: { answer: 'a-secret-word' } });
  await ada.ended(run.messageId);
  const body = plinth().sim.requests[1]?.raw ?? '';
  expect(body.split('a-secret-word')).toHaveLength(2);
  expect(JSON.stringify(await ada.messages(run.threadId))).not.toContain('a-secret-word');
  const call = (await ada.message(run.messageId)).calls[0];
  expect(call).toMatchObject({ status: 'succeeded', visibility: 'shadow' });
});

it('the next run of a thread sends the whole conversation, each call with its result', async () => {
  const ada = await plinth().session('ada');
  const run = await ada.start('hello');
  const { id } = await ada.parkedOn(run.messageId, 'ask');
  await ada.answer(id, { type: 'submit', value: { answer: 'because' } });
  await ada.ended(run.messageId);
  plinth().sim.setScenarios([echo]);
  plinth().sim.clearRequests();
  const next = await ada.start('and now?', { threadId: run.threadId });
  expect(await ada.ended(next.messageId)).toMatchObject({ status: 'completed' });
  const { messages } = JSON.parse(plinth().sim.requests[0]?.raw ?? '{}') as { messages: { role: string }[] };
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ]);
});

it('a changed configuration is used by the next turn of a run that waits', async () => {
  const ada = await plinth().session('ada');
  const { backend, sim } = plinth();
  const run = await ada.start('hello');
  const { id } = await ada.parkedOn(run.messageId, 'ask');
  sim.clearRequests();
  const { revision } = await backend.call<{ revision: number }>('GET', '/v1/config');
  const changed = {
    expectedRevision: revision,
    values: { model: { name: 'another-model', temperature: 0.1 } },
    reason: 'a test',
  };
  await backend.call('PUT', '/v1/config', changed);
  expect(await backend.raw('PUT', '/v1/config', changed)).toMatchObject({
    status: 409,
    body: { code: 'config_revision_conflict' },
  });
  await ada.answer(id, { type: 'submit', value: { answer: 'because' } });
  await ada.ended(run.messageId);
  expect(JSON.parse(sim.requests[0]?.raw ?? '{}')).toMatchObject({
    model: 'another-model',
    temperature: 0.1,
  });
  expect(
    await backend.raw('PUT', '/v1/config', {
      expectedRevision: revision + 1,
      values: { model: { temperature: 9 } },
      reason: 'too hot',
    }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'values.model.temperature' }] },
  });
});

it('a session token is refused where an API key is needed, and a key of no tenant everywhere', async () => {
  const ada = await plinth().session('ada');
  expect(await ada.raw('GET', '/v1/config')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await ada.raw('POST', '/v1/session-tokens', { endUserId: 'eve' })).toMatchObject({ status: 403 });
  const stranger = new ApiClient(plinth().url, `plk_nobody00_${'x'.repeat(40)}`);
  expect(await stranger.raw('GET', '/v1/threads')).toMatchObject({
    status: 401,
    body: { code: 'unauthenticated' },
  });
});

it('a run that repeats one call for ever is ended by name', async () => {
  plinth().sim.setScenarios([scripted([{ toolCalls: [{ name: 'order', arguments: {} }] }])]);
  const ada = await plinth().session('ada');
  const run = await ada.start('loop');
  expect(await ada.ended(run.messageId)).toMatchObject({ status: 'failed', reason: 'budget_repetition' });
});

it('characters that the database cannot hold become U+FFFD, and the run goes on', async () => {
  plinth().sim.setScenarios([echo]);
  const ada = await plinth().session('ada');
  const run = await ada.start('tea\u0000 and \ud83c cake');
  expect(await ada.ended(run.messageId)).toMatchObject({ status: 'completed' });
  const { items } = await ada.messages(run.threadId);
  expect(items[0]).toMatchObject({ role: 'user', text: 'tea\ufffd and \ufffd cake' });
});
