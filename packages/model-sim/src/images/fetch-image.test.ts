import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf, promptTokensOf, showing, startPersona } from '../personas/personas.test-support.js';
import { png } from './sample-images.test-support.js';

describe('an image by address', () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (request.url !== '/wide.png') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/png' }).end(png(1024, 8));
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('is not looked at unless told so', async () => {
    asked = 0;
    const { ask } = await startPersona({ persona: 'anthropic' });
    expect((await ask(showing(`${base}/gone.png`))).status).toBe(200);
    expect(asked).toBe(0);
  });

  test('is fetched once a request, decoded and counted', async () => {
    asked = 0;
    const { ask } = await startPersona({ persona: 'anthropic', fetchImages: true });
    const bare = promptTokensOf(await ask(showing()));
    const url = `${base}/wide.png`;
    expect(promptTokensOf(await ask(showing(url, url))) - bare).toBe(2 * 37);
    expect(asked).toBe(1);
  });

  test.each([
    ['openai', 'Error while downloading'],
    ['anthropic', 'Unable to download the file'],
    ['gemini', 'Cannot fetch content from the provided URL'],
  ] as const)('that %s cannot fetch is refused in its words', async (persona, words) => {
    const { ask } = await startPersona({ persona, fetchImages: true });
    const answer = await ask(showing(`${base}/gone.png`));
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(words);
  });
});
