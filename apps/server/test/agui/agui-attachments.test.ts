import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContentPart, Message, UserMessage } from '@ag-ui/core';
import { scripted } from '@plinth/model-sim';
import { parseRequest, photo, picturesIn, textIn, uploadFile } from '@plinth/testkit/system';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tools, withPlinth } from '../http/with-plinth.js';
import { AguiClient, PATIENT_MS, shownRun } from './agui-client.js';

const plinth = withPlinth({ PLINTH_IMAGE_ALLOW: '127.0.0.1' });
const picture = photo(30_000, 1);
const base64 = picture.toString('base64');

/** Somebody else's server. */
let pictures: Server;
let base: string;
beforeAll(async () => {
  pictures = createServer((request, response) => {
    if (request.url === '/poster.png') response.end(picture);
    else response.writeHead(404).end();
  });
  pictures.listen(0, '127.0.0.1');
  await once(pictures, 'listening');
  base = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
afterAll(() => {
  pictures.closeAllConnections();
  pictures.close();
});
beforeEach(() => plinth().sim.setScenarios([scripted([{ text: 'Seen.' }])]));

const image = (source: object, more: object = {}): ContentPart =>
  ({ type: 'image', source, ...more }) as ContentPart;
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const bring = (client: AguiClient, content: ContentPart[], id: string = crypto.randomUUID()) => {
  client.agent.addMessage({ id, role: 'user', content });
  return client.run();
};
const lastRequest = () => parseRequest(plinth().sim.requests.at(-1)?.raw ?? '{}');
const contentOf = (messages: Message[]) =>
  (messages.find(({ role }) => role === 'user') as UserMessage | undefined)?.content;

it(
  'bytes of a part are in what the model gets, and the thread has them as the client named them',
  async () => {
    const client = new AguiClient(await plinth().session('ada'));
    const source = { type: 'data', value: base64, mimeType: 'image/png' };
    const content = [text('What is it?'), image(source, { id: 'part-1', metadata: { filename: 'tea.png' } })];
    const { finished } = await bring(client, content, 'message-1');
    expect(finished?.outcome).toEqual({ type: 'success' });
    expect(picturesIn(lastRequest())).toHaveLength(1);
    expect(lastRequest().messages.map(textIn)).toContainEqual(expect.stringContaining('What is it?'));

    await client.run();
    const [question] = client.messages;
    expect(question).toEqual({
      id: 'message-1',
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        {
          id: 'part-1',
          type: 'image',
          source: { type: 'url', value: expect.stringContaining('/v1/artifacts/'), mimeType: 'image/png' },
          metadata: { filename: 'tea.png', plinth: { artifactId: expect.any(String) } },
        },
      ],
    });
    const [, shown] = contentOf(client.messages) as { source: { value: string } }[];
    const bytes = await fetch(shown?.source.value ?? '').then((response) => response.arrayBuffer());
    expect(Buffer.from(bytes).equals(picture)).toBe(true);

    const other = new AguiClient(await plinth().session('ada'), { threadId: client.agent.threadId });
    await other.run();
    expect(contentOf(other.messages)).toMatchObject([{ type: 'text' }, { type: 'image' }]);
    // What a snapshot has named is the same file when it comes with another message.
    await bring(other, [image({ type: 'url', value: shown?.source.value })]);
    await other.run();
    const files = other.messages.flatMap(({ role, content }) =>
      role === 'user' && Array.isArray(content)
        ? content.flatMap((part) => (part.type === 'text' ? [] : [part.metadata.plinth.artifactId]))
        : [],
    );
    expect(files).toEqual([files[0], files[0]]);
  },
  PATIENT_MS,
);

it(
  'an address is fetched, an upload is taken by its id, and so are the parts of older clients',
  async () => {
    const ada = await plinth().session('ada');
    const { id } = await uploadFile(ada, picture, 'own.png');
    const parts = [
      image({ type: 'url', value: `${base}/poster.png` }),
      image({ type: 'file', value: id }),
      { type: 'binary', mimeType: 'image/png', data: base64, filename: 'old.png' } as never,
      { type: 'binary', mimeType: 'image/png', url: `${base}/poster.png` } as never,
      { type: 'binary', mimeType: 'image/png', id } as never,
    ];
    for (const part of parts) {
      const before = plinth().sim.requests.length;
      // As it is: the published client of 1.0 writes old parts anew.
      const answer = await fetch(`${ada.url}/v1/agents/tester/agui`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ threadId: crypto.randomUUID(), runId: 'r' },
          messages: [{ id: 'm', role: 'user', content: [part] }],
        }),
      });
      expect(await answer.text()).toContain('"outcome":{"type":"success"}');
      expect(plinth().sim.requests.length).toBeGreaterThan(before);
      expect(picturesIn(lastRequest())).toHaveLength(1);
    }
  },
  PATIENT_MS,
);

it(
  'the same message at the same time is one run, with one picture',
  async () => {
    const ada = await plinth().session('ada');
    const threadId = crypto.randomUUID();
    const source = { type: 'data', value: base64, mimeType: 'image/png' };
    const runs = await Promise.all(
      [1, 2, 3].map(() => bring(new AguiClient(ada, { threadId }), [image(source)], 'the-same')),
    );
    expect(new Set(runs.map((seen) => shownRun(seen).runId)).size).toBe(1);
  },
  PATIENT_MS,
);

it(
  'what is not there, cannot be fetched or is too large is refused by its part, and no thread begins',
  async () => {
    const ada = await plinth().session('ada');
    const eve = await plinth().session('eve');
    const globex = await plinth().addBusiness({ key: 'globex', tools: tools(plinth().jobs.url) });
    const foreign = await globex.call<{ token: string }>('POST', '/v1/session-tokens', { endUserId: 'ada' });
    const uploads = await Promise.all(
      [eve, plinth().as(foreign.token)].map((who) => uploadFile(who, picture, 'not-yours.png')),
    );
    const { revision } = await plinth().backend.call<{ revision: number }>('GET', '/v1/config');
    await plinth().backend.call('PUT', '/v1/config', {
      expectedRevision: revision,
      values: { artifacts: { maxUploadBytes: 1_000_000 } },
      reason: 'test',
    });
    const large = photo(1_200_000, 2).toString('base64');
    const cases: [object, number, string][] = [
      ...uploads.map(({ id }): [object, number, string] => [
        { type: 'file', value: id },
        422,
        'attachment_not_found',
      ]),
      [{ type: 'url', value: `${base}/nothing.png` }, 422, 'attachment_not_fetched'],
      [{ type: 'url', value: 'http://169.254.169.254/latest' }, 422, 'attachment_not_fetched'],
      [{ type: 'data', value: large, mimeType: 'image/png' }, 413, 'attachment_too_large'],
      [{ type: 'data', value: '!', mimeType: 'image/png' }, 400, 'invalid_request'],
    ];
    const threads = async () => (await ada.call<{ items: unknown[] }>('GET', '/v1/threads')).items.length;
    const before = await threads();
    for (const [source, status, code] of cases) {
      const body = {
        ...{ threadId: crypto.randomUUID(), runId: 'r', tools: [], context: [] },
        messages: [{ id: 'm', role: 'user', content: [text('Look.'), image(source)] }],
      };
      const path = 'messages.0.content.1.source.value';
      expect({ source, answer: await ada.raw('POST', '/v1/agents/tester/agui', body) }).toMatchObject({
        answer: { status, body: { code, detail: expect.stringContaining(path), errors: [{ path }] } },
      });
    }
    expect(await threads()).toBe(before);
  },
  PATIENT_MS,
);
