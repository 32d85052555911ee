import {
  type JsonObject,
  type StartRunResponse,
  type TurnRequestView,
  turnRequestView,
} from '@plinth/protocol';
import { type ApiClient, photo, startWith, uploadFile } from '@plinth/testkit/system';
import { beforeEach, expect, it } from 'vitest';
import { askingModel, tools, withPlinth } from './with-plinth.js';

const plinth = withPlinth();
beforeEach(() => plinth().sim.setScenarios([askingModel]));

/** Milliseconds: the first picture of a process starts another one, which takes its time on a busy machine. */
const PICTURE_MS = 60_000;
const PATIENT = { timeout: 90_000 };
const SUBMITTED = 'because of the rain';

async function debugging(endUserId: string): Promise<ApiClient> {
  const body = { endUserId, scopes: ['debug'] };
  const { token } = await plinth().backend.call<{ token: string }>('POST', '/v1/session-tokens', body);
  return plinth().as(token);
}

/** A run of Ada's that has asked her and has ended. */
async function endedRun(who: ApiClient, threadId?: string) {
  const run = await who.start('hello', threadId === undefined ? {} : { threadId });
  const wait = await who.parkedOn(run.messageId, 'ask');
  await who.answer(wait.id, { type: 'submit', value: { answer: SUBMITTED } });
  await who.ended(run.messageId);
  return run;
}

const requestOf = (who: ApiClient, runId: string, turn: number) =>
  who.call<TurnRequestView>('GET', `/v1/runs/${runId}/turns/${turn}/request`);

/** What the endpoint of the model has received under this digest. */
function received(digest: string): { body: JsonObject & { messages: JsonObject[] }; sizeBytes: number } {
  const request = plinth().sim.requests.find((one) => one.digest === digest);
  if (request === undefined) throw new Error(`the model was not sent ${digest}`);
  return { body: JSON.parse(request.raw), sizeBytes: request.sizeBytes };
}

const bodyOf = ({ settings, tools: offered, messages }: TurnRequestView) => ({
  ...settings,
  messages: messages.map(({ message }) => message),
  tools: offered.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  })),
});

it('is what the endpoint has received, turn by turn and run by run, also what the chat does not show', async () => {
  const ada = await debugging('ada');
  const first = await endedRun(ada);
  const second = await endedRun(ada, first.threadId);
  for (const { runId } of [first, second])
    for (const turn of [0, 1]) {
      const view = await requestOf(ada, runId, turn);
      expect(turnRequestView.parse(view)).toEqual(view);
      const { body, sizeBytes } = received(view.digest);
      expect(view).toMatchObject({ runId, turn, verified: true, doubts: [], bytes: sizeBytes });
      expect(bodyOf(view)).toEqual(body);
      expect(await requestOf(plinth().backend, runId, turn)).toEqual(view);
    }
  const { messages } = await requestOf(ada, second.runId, 1);
  const shadows = messages.filter(({ shadow }) => shadow);
  expect(shadows.map(({ what }) => what)).toEqual(['instructions', 'result', 'result']);
  for (const { message } of shadows.slice(1)) expect(message.content).toContain(SUBMITTED);
});

it('is that of its own branch: in a fork, and when the same question is answered again', async () => {
  const ada = await debugging('ada');
  const first = await endedRun(ada);
  const { id: forkId } = await ada.call<{ id: string }>('POST', `/v1/threads/${first.threadId}/fork`, {
    messageId: first.messageId,
  });
  const inFork = await endedRun(ada, forkId);
  const again = await ada.call<StartRunResponse>('POST', `/v1/runs/${first.runId}/retry`, {});
  await ada.parkedOn(again.messageId, 'ask');
  const views = [await requestOf(ada, inFork.runId, 0), await requestOf(ada, again.runId, 0)];
  for (const view of views) {
    expect(view.verified).toBe(true);
    expect(bodyOf(view)).toEqual(received(view.digest).body);
  }
  expect(views.map(({ messages }) => messages.length)).toEqual([6, 2]);
});

it('has pictures by what they are, without their bytes, and is verified with them', PATIENT, async () => {
  const ada = await debugging('ada');
  const { id: uploadId } = await uploadFile(ada, photo(300_000, 1), 'shop.png');
  const run = await startWith(ada, 'What is this?', [{ uploadId }]);
  await ada.parkedOn(run.messageId, 'ask', 0, PICTURE_MS);
  const view = await requestOf(ada, run.runId, 0);
  expect(view).toMatchObject({ verified: true, bytes: received(view.digest).sizeBytes });
  expect(view.messages[1]).toMatchObject({
    what: 'said',
    shadow: false,
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'text', text: expect.stringContaining('shop.png') },
        {
          type: 'image',
          image: {
            title: 'shop.png',
            step: 0,
            mimeType: expect.stringMatching(/^image\//),
            delivery: 'inline',
          },
        },
      ],
    },
  });
  expect(JSON.stringify(view)).not.toContain('base64');
  expect(JSON.stringify(view).length).toBeLessThan(10_000);
});

it('is that of its own time, when the configuration has changed since', async () => {
  const ada = await debugging('ada');
  const { runId, messageId } = await ada.start('hello');
  const wait = await ada.parkedOn(messageId, 'ask');
  const owner = plinth().backend;
  const { revision, values } = await owner.call<{ revision: number; values: JsonObject }>(
    'GET',
    '/v1/config',
  );
  const changed = { expectedRevision: revision, values: { ...values, model: { temperature: 0.125 } } };
  await owner.call('PUT', '/v1/config', { ...changed, reason: 'a test of what was' });
  await ada.answer(wait.id, { type: 'submit', value: { answer: SUBMITTED } });
  await ada.ended(messageId);
  const [before, after] = await Promise.all([requestOf(ada, runId, 0), requestOf(ada, runId, 1)]);
  expect(before.verified && after.verified).toBe(true);
  expect(before.settings.temperature).not.toBe(0.125);
  expect(after.settings.temperature).toBe(0.125);
});

it('is not for a session token without the scope, nor for anybody else, and a turn that is not there is not found', async () => {
  const { runId } = await endedRun(await debugging('ada'));
  const path = `/v1/runs/${runId}/turns/0/request`;
  const ada = await plinth().session('ada');
  expect(await ada.raw('GET', path)).toMatchObject({ status: 403, body: { facts: { scope: 'debug' } } });
  const globex = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  const strangers = [await debugging('eve'), await plinth().session('eve'), globex];
  for (const stranger of strangers)
    expect(await stranger.raw('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  for (const turn of ['2', '-1', '0.5', 'abc', '99999999999999999999'])
    expect(await plinth().backend.raw('GET', `/v1/runs/${runId}/turns/${turn}/request`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
});
