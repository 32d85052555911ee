import { scripted } from '@plinth/model-sim';
import type { Page, StartRunResponse, ThreadMessage, ThreadView } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { beforeEach, expect, it } from 'vitest';
import { askingModel, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
const saying = (text: string) => plinth().sim.setScenarios([scripted([{ text }])]);
beforeEach(() => saying('Yes.'));

async function exchange(client: ApiClient, text: string, threadId?: string): Promise<StartRunResponse> {
  const run = await client.start(text, threadId === undefined ? {} : { threadId });
  expect(await client.ended(run.messageId)).toMatchObject({ status: 'completed' });
  return run;
}

const idsOf = ({ items }: Page<ThreadMessage>) => items.map(({ id }) => id);
const thread = (client: ApiClient, threadId: string) =>
  client.call<ThreadView>('GET', `/v1/threads/${threadId}`);
const sentMessages = () =>
  (JSON.parse(plinth().sim.requests.at(-1)?.raw ?? '{}') as { messages: { content: string }[] }).messages.map(
    ({ content }) => content,
  );

it('a retry answers the same question on a new branch, and the head can go back to the old answer', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const again = await ada.call<StartRunResponse>('POST', `/v1/runs/${first.runId}/retry`);
  expect(again).toMatchObject({ threadId: first.threadId, userMessageId: first.userMessageId });
  await ada.ended(again.messageId);
  expect(await thread(ada, first.threadId)).toMatchObject({ headMessageId: again.messageId });
  const siblings = [first.messageId, again.messageId];
  const page = await ada.messages(first.threadId);
  expect(idsOf(page)).toEqual([first.userMessageId, again.messageId]);
  expect(page.items[1]?.siblings).toEqual(siblings);

  const moved = await ada.call<ThreadView>('POST', `/v1/threads/${first.threadId}/head`, {
    messageId: first.messageId,
  });
  expect(moved).toMatchObject({ id: first.threadId, headMessageId: first.messageId, activeRunId: null });
  const back = await ada.messages(first.threadId);
  expect(idsOf(back)).toEqual([first.userMessageId, first.messageId]);
  expect(back.items[1]?.siblings).toEqual(siblings);
});

it('a retry with an idempotency key is one run; a bad key and an unknown field are refused', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const path = `/v1/runs/${first.runId}/retry`;
  const key = { 'idempotency-key': 'again-1' };
  const again = await ada.call<StartRunResponse>('POST', path, { agentVersion: 'same' }, key);
  expect(await ada.call('POST', path, { agentVersion: 'same' }, key)).toEqual(again);
  expect(await ada.raw('POST', path, {}, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  });
  expect(await ada.raw('POST', path, {}, { 'idempotency-key': 'a b' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_idempotency_key' },
  });
  expect(await ada.raw('POST', path, { version: 1 })).toMatchObject({ status: 400 });
});

it('a retry needs a token for the agent of the run', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const { token } = await plinth().backend.call<{ token: string }>('POST', '/v1/session-tokens', {
    endUserId: 'ada',
    agent: 'another',
  });
  const response = await fetch(`${plinth().url}/v1/runs/${first.runId}/retry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(403);
});

it('while a form waits the head stays and the run is not retried, unless the caller wants the form closed', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  plinth().sim.setScenarios([askingModel]);
  const waiting = await ada.start('more', { threadId: first.threadId });
  await ada.parkedOn(waiting.messageId, 'ask');
  const busy = { status: 409, body: { code: 'thread_busy', facts: { activeRunId: waiting.runId } } };
  const headPath = `/v1/threads/${first.threadId}/head`;
  const { messageId } = first;
  expect(await ada.raw('POST', headPath, { messageId })).toMatchObject(busy);
  expect(await ada.raw('POST', `/v1/runs/${waiting.runId}/retry`)).toMatchObject(busy);
  expect(await ada.raw('POST', `/v1/runs/${first.runId}/retry`, { onBusy: 'reject' })).toMatchObject(busy);
  const forkPath = `/v1/threads/${first.threadId}/fork`;
  expect(await ada.raw('POST', forkPath, { messageId: waiting.messageId })).toMatchObject(busy);

  await ada.call('POST', headPath, { messageId, onBusy: 'supersede' });
  expect(await ada.message(waiting.messageId)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  expect(idsOf(await ada.messages(first.threadId))).toEqual([first.userMessageId, messageId]);
});

it('readers of a thread hear that its head was moved', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  await exchange(ada, 'more', first.threadId);
  const response = await fetch(`${plinth().url}/v1/threads/${first.threadId}/events`, {
    headers: { authorization: `Bearer ${ada.credential}` },
    signal: AbortSignal.timeout(20_000),
  });
  await ada.call('POST', `/v1/threads/${first.threadId}/head`, { messageId: first.messageId });
  let heard = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    heard += decoder.decode(chunk as Uint8Array, { stream: true });
    if (heard.includes('thread.head_moved') && heard.endsWith('\n\n')) break;
  }
  const line = heard.split('\n').find((one) => one.startsWith('data:') && one.includes('head_moved'));
  expect(JSON.parse(line?.slice('data:'.length) ?? '{}')).toMatchObject({
    type: 'thread.head_moved',
    threadId: first.threadId,
    messageId: first.messageId,
  });
});

it('a fork goes on from its message with what was said before, and the first thread does not hear of it', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  await exchange(ada, 'more', first.threadId);
  const whole = idsOf(await ada.messages(first.threadId));
  const fork = await ada.call<ThreadView>('POST', `/v1/threads/${first.threadId}/fork`, {
    messageId: first.messageId,
    title: 'A try',
  });
  expect(fork).toMatchObject({ title: 'A try', headMessageId: first.messageId, activeRunId: null });
  expect(fork.id).not.toBe(first.threadId);
  const [original] = (await ada.call<Page<ThreadView>>('GET', '/v1/threads?limit=100')).items.filter(
    ({ id }) => id === first.threadId,
  );
  expect(original).toMatchObject({ forkedFrom: null });
  const origin = { threadId: first.threadId, messageId: first.messageId, title: original?.title };
  expect(fork.forkedFrom).toEqual(origin);
  expect(await thread(ada, fork.id)).toMatchObject({ forkedFrom: origin });
  const listed = (await ada.call<Page<ThreadView>>('GET', '/v1/threads?limit=100')).items;
  expect(listed.find(({ id }) => id === fork.id)?.forkedFrom).toEqual(origin);
  const there = await exchange(ada, 'there', fork.id);
  expect(sentMessages().slice(1)).toEqual(['hello', 'Yes.', 'there']);
  expect(idsOf(await ada.messages(fork.id))).toEqual([
    first.userMessageId,
    first.messageId,
    there.userMessageId,
    there.messageId,
  ]);
  expect(idsOf(await ada.messages(first.threadId))).toEqual(whole);

  const again = await ada.call<StartRunResponse>('POST', `/v1/runs/${first.runId}/retry`, {
    threadId: fork.id,
  });
  expect(again).toMatchObject({ threadId: fork.id, userMessageId: first.userMessageId });
  await ada.ended(again.messageId);
  expect(idsOf(await ada.messages(fork.id))).toEqual([first.userMessageId, again.messageId]);
});

it('what cannot be an id is refused with its field, and any title can be kept', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const path = `/v1/threads/${first.threadId}/fork`;
  for (const messageId of ['', 'msg\u0000', 'x'.repeat(101), null]) {
    expect(await ada.raw('POST', path, { messageId })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'messageId' }] },
    });
  }
  const fork = { messageId: first.messageId, title: 'a\u0000b' };
  expect(await ada.call('POST', path, fork)).toMatchObject({ title: 'a\ufffdb' });
});

it('a back end forks and moves for its end users, whose the threads stay', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const body = { messageId: first.userMessageId };
  const { backend } = plinth();
  const fork = await backend.call<ThreadView>('POST', `/v1/threads/${first.threadId}/fork`, body);
  expect(fork.title).toBe((await thread(ada, first.threadId)).title);
  expect(await thread(ada, fork.id)).toEqual(fork);
  expect(await backend.call('POST', `/v1/threads/${first.threadId}/head`, body)).toMatchObject({
    headMessageId: first.userMessageId,
  });
  const eve = await plinth().session('eve');
  expect(await eve.raw('GET', `/v1/threads/${fork.id}`)).toMatchObject({ status: 404 });
});

it('a head before everything shows an empty thread, and the next run begins anew', async () => {
  const ada = await plinth().session('ada');
  const first = await exchange(ada, 'hello');
  const path = `/v1/threads/${first.threadId}/head`;
  expect(await ada.call<ThreadView>('POST', path, { messageId: null })).toMatchObject({
    headMessageId: null,
  });
  expect(await ada.messages(first.threadId)).toEqual({ items: [], nextCursor: null });
  const anew = await exchange(ada, 'hello again', first.threadId);
  expect(sentMessages().slice(1)).toEqual(['hello again']);
  const page = await ada.messages(first.threadId);
  expect(idsOf(page)).toEqual([anew.userMessageId, anew.messageId]);
  expect(page.items[0]).toMatchObject({
    parentId: null,
    siblings: [first.userMessageId, anew.userMessageId],
  });
  expect(await ada.raw('POST', path, {})).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'messageId' }] },
  });
  const bob = await plinth().session('bob');
  expect(await bob.raw('POST', path, { messageId: null })).toMatchObject({ status: 404 });
});
