import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ArtifactView, Page, Problem, RunView, StartRunResponse, UploadView } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { askingModel, tools, withPlinth } from './with-plinth.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const plinth = withPlinth({ PLINTH_IMAGE_ALLOW: '127.0.0.1' });
beforeEach(() => plinth().sim.setScenarios([askingModel]));

/** Somebody else's server. */
let pictures: Server;
let fetched: string[] = [];
let base: string;
beforeAll(async () => {
  pictures = createServer((request, response) => {
    fetched.push(request.url ?? '');
    if (request.url?.startsWith('/poster')) response.end(PNG);
    else if (request.url === '/page') response.end('<!doctype html><title>no picture</title>');
    else response.writeHead(404).end();
  });
  pictures.listen(0, '127.0.0.1');
  await once(pictures, 'listening');
  base = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
beforeEach(() => {
  fetched = [];
});
afterAll(() => {
  pictures.closeAllConnections();
  pictures.close();
});

async function send(
  who: ApiClient,
  bytes: BodyInit,
  { query = '?title=poster.png', type = 'application/octet-stream' } = {},
): Promise<{ status: number; body: UploadView & Problem }> {
  const response = await fetch(`${who.url}/v1/uploads${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.credential}`, 'content-type': type },
    body: bytes,
    ...(bytes instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  return { status: response.status, body: (await response.json()) as UploadView & Problem };
}

const upload = async (who: ApiClient) => (await send(who, PNG)).body;

function start(
  who: ApiClient,
  input: object,
  { path = '/v1/runs', key = undefined as string | undefined } = {},
): Promise<StartRunResponse> {
  return who.call(
    'POST',
    path,
    { agent: 'tester', input },
    key === undefined ? {} : { 'idempotency-key': key },
  );
}

const refused = (who: ApiClient, attachments: object[], path = '/v1/runs') =>
  who.raw('POST', path, { agent: 'tester', input: { text: 'look', attachments } });

const questionOf = async (who: ApiClient, threadId: string) =>
  (await who.messages(threadId)).items.find(({ role }) => role === 'user');

it('an uploaded file goes with a message: it is an artifact of the new thread, and the message names it', async () => {
  const ada = await plinth().session('ada');
  const { status, body } = await send(ada, PNG, { type: 'text/plain' });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'image',
    mimeType: 'image/png',
    title: 'poster.png',
    sizeBytes: PNG.length,
  });
  expect(JSON.stringify(body)).not.toContain('storageKey');

  const run = await start(ada, { text: 'like this', attachments: [{ uploadId: body.id }] });
  const question = await questionOf(ada, run.threadId);
  const { items } = await ada.call<Page<ArtifactView>>('GET', `/v1/artifacts?threadId=${run.threadId}`);
  const [artifact] = items;
  expect(artifact).toMatchObject({ kind: 'image', title: 'poster.png', runId: null, open: 'silent' });
  expect(question).toMatchObject({
    text: 'like this',
    attachments: [
      {
        artifactId: artifact?.id,
        kind: 'image',
        mimeType: 'image/png',
        title: 'poster.png',
        sizeBytes: PNG.length,
      },
    ],
  });
  const { contentUrl } = await ada.call<{ contentUrl: string }>('GET', `/v1/artifacts/${artifact?.id}`);
  const content = await fetch(`${plinth().url}${contentUrl}`);
  expect(Buffer.from(await content.arrayBuffer()).equals(PNG)).toBe(true);
});

it('a message may be a file alone; with neither text nor file it is refused', async () => {
  const ada = await plinth().session('ada');
  const run = await start(ada, { attachments: [{ uploadId: (await upload(ada)).id }] });
  expect(await questionOf(ada, run.threadId)).toMatchObject({ text: '', attachments: [{ kind: 'image' }] });
  expect(await ada.call('GET', `/v1/threads/${run.threadId}`)).toMatchObject({ title: 'poster.png' });
  expect(await ada.raw('POST', '/v1/runs', { agent: 'tester', input: {} })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'input.text' }] },
  });
});

it('a file of any declared type is taken as it is, JSON that is none included', async () => {
  const ada = await plinth().session('ada');
  const query = '?title=prices.csv';
  expect(await send(ada, 'tea,4\ncake,3\n', { query, type: 'application/json' })).toMatchObject({
    status: 201,
    body: { kind: 'table', mimeType: 'text/csv' },
  });
  expect(await send(ada, '', { query })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

it('a file above the limit of the tenant is refused, whether its length is said or not', async () => {
  const ada = await plinth().session('ada');
  const { revision } = await plinth().backend.call<{ revision: number }>('GET', '/v1/config');
  const set = (expectedRevision: number, values: object) =>
    plinth().backend.call('PUT', '/v1/config', { expectedRevision, values, reason: 'a test' });
  await set(revision, { artifacts: { maxUploadBytes: 2000 } });
  const stream = (size: number) =>
    new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < size; sent += 100) controller.enqueue(new Uint8Array(100));
        controller.close();
      },
    });
  const tooLarge = { status: 413, body: { code: 'body_too_large', facts: { maxBytes: 2000 } } };
  expect(await send(ada, new Uint8Array(2001))).toMatchObject(tooLarge);
  expect(await send(ada, stream(2100))).toMatchObject(tooLarge);
  expect(await send(ada, stream(2000))).toMatchObject({ status: 201, body: { sizeBytes: 2000 } });
  await set(revision + 1, {});
});

it('a back end uploads for an end user that it names, and nobody uploads without a credential', async () => {
  const { backend, url } = plinth();
  expect(await send(backend, PNG)).toMatchObject({ status: 400, body: { errors: [{ path: 'endUserId' }] } });
  const { body } = await send(backend, PNG, { query: '?endUserId=ada' });
  const ada = await plinth().session('ada');
  await start(ada, { attachments: [{ uploadId: body.id }] });
  const nobody = await fetch(`${url}/v1/uploads`, { method: 'POST', body: PNG });
  expect(nobody.status).toBe(401);
  expect(await send(ada, PNG, { query: '?endUserId=eve' })).toMatchObject({ status: 403 });
});

it('what another end user or another tenant has uploaded is not there, and nothing is written', async () => {
  const ada = await plinth().session('ada-with-a-secret');
  const { id } = await upload(ada);
  const eve = await plinth().session('eve');
  const globex = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
  const notFound = {
    status: 422,
    body: {
      code: 'attachment_not_found',
      errors: [{ path: 'input.attachments.1.uploadId' }],
    },
  };
  const own = { uploadId: (await upload(eve)).id };
  expect(await refused(eve, [own, { uploadId: id }])).toMatchObject(notFound);
  const bobs = await send(globex, PNG, { query: '?endUserId=ada-with-a-secret' });
  const asStranger = { agent: 'tester', endUserId: 'ada-with-a-secret' };
  const attachments = [{ uploadId: bobs.body.id }, { uploadId: id }];
  expect(
    await globex.raw('POST', '/v1/runs', { ...asStranger, input: { text: 'look', attachments } }),
  ).toMatchObject(notFound);
  expect(await eve.call('GET', '/v1/threads')).toMatchObject({ items: [] });
});

it('an artifact goes with a message of its own thread, of a fork that shares it, and of no other', async () => {
  const ada = await plinth().session('ada');
  const first = await start(ada, { attachments: [{ uploadId: (await upload(ada)).id }] });
  const { items } = await ada.call<Page<ArtifactView>>('GET', `/v1/artifacts?threadId=${first.threadId}`);
  const again = [{ artifactId: items[0]?.id }];
  const path = `/v1/threads/${first.threadId}`;
  await ada.call('POST', `/v1/runs/${first.runId}/cancel`);
  const second = await start(ada, { text: 'again', attachments: again }, { path: `${path}/runs` });
  await ada.call('POST', `/v1/runs/${second.runId}/cancel`);
  expect(
    (await ada.call<Page<ArtifactView>>('GET', `/v1/artifacts?threadId=${first.threadId}`)).items,
  ).toHaveLength(1);

  const fork = await ada.call<{ id: string }>('POST', `${path}/fork`, { messageId: first.userMessageId });
  expect((await ada.call<Page<ArtifactView>>('GET', `/v1/artifacts?threadId=${fork.id}`)).items).toEqual(
    items,
  );
  expect(await questionOf(ada, fork.id)).toMatchObject({ attachments: [{ artifactId: items[0]?.id }] });
  await start(ada, { text: 'here too', attachments: again }, { path: `/v1/threads/${fork.id}/runs` });

  const other = await ada.call<{ id: string }>('POST', '/v1/threads', {});
  const notFound = { status: 422, body: { errors: [{ path: 'input.attachments.0.artifactId' }] } };
  expect(await refused(ada, again)).toMatchObject(notFound);
  expect(await refused(ada, again, `/v1/threads/${other.id}/runs`)).toMatchObject(notFound);
  const eve = await plinth().session('eve');
  expect(await refused(eve, again, `${path}/runs`)).toMatchObject(notFound);
});

it('a picture is fetched once by its address, and what is none or cannot be reached is refused by name', async () => {
  const ada = await plinth().session('ada');
  const run = await start(ada, { text: 'look', attachments: [{ url: `${base}/poster%20one.png` }] });
  expect(fetched).toEqual(['/poster%20one.png']);
  expect(await questionOf(ada, run.threadId)).toMatchObject({
    attachments: [{ kind: 'image', title: 'poster one.png', sizeBytes: PNG.length }],
  });
  const runs = async () => (await ada.call<Page<RunView>>('GET', '/v1/runs')).items.map(({ id }) => id);
  const before = await runs();
  for (const [url, reason] of [
    [`${base}/page`, 'not_a_picture'],
    [`${base}/nothing`, 'http_status'],
    ['http://169.254.169.254/latest', 'blocked_address'],
    ['http://[::ffff:10.0.0.1]/', 'blocked_address'],
    // An address that is not written as such is not even looked at.
    ['http://0x0a000001/', 'invalid_request'],
  ]) {
    expect(await refused(ada, [{ url }])).toMatchObject({
      status: 422,
      body: {
        code: 'attachment_not_fetched',
        errors: [{ path: 'input.attachments.0.url' }],
        facts: { reason },
      },
    });
  }
  expect(await refused(ada, [{ url: 'file:///etc/passwd' }])).toMatchObject({ status: 400 });
  expect(await runs()).toEqual(before);
});

it('the same request under the same key gets its run again, although what was attached is gone', async () => {
  const ada = await plinth().session('ada');
  const input = { text: 'look', attachments: [{ url: `${base}/poster.png` }] };
  const first = await start(ada, input, { key: 'with-a-picture' });
  pictures.removeAllListeners('request');
  pictures.on('request', (_request, response) => response.writeHead(410).end());
  expect(await start(ada, input, { key: 'with-a-picture' })).toEqual(first);
  const other = { ...input, attachments: [{ url: `${base}/poster-2.png` }] };
  await expect(start(ada, other, { key: 'with-a-picture' })).rejects.toMatchObject({
    status: 422,
    problem: { code: 'idempotency_key_reused' },
  });
});

it('a retry answers the same message, files included', async () => {
  const ada = await plinth().session('ada');
  const run = await start(ada, { text: 'look', attachments: [{ uploadId: (await upload(ada)).id }] });
  await ada.call('POST', `/v1/runs/${run.runId}/cancel`);
  const before = await questionOf(ada, run.threadId);
  const again = await ada.call<StartRunResponse>('POST', `/v1/runs/${run.runId}/retry`, {});
  expect(again.userMessageId).toBe(run.userMessageId);
  expect(await questionOf(ada, run.threadId)).toEqual(before);
});
