import type { ServerResponse } from 'node:http';
import { countTokens, type ToolInvocation, type ToolOutcome } from '@plinth/engine';
import { type JsonObject, type TenantId, toolDefinition } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PageReader } from '../src/tools/web-fetch/page-reader.js';
import { WebFetchExecutor } from '../src/tools/web-fetch/web-fetch-executor.js';
import { outboundTo, type Peer, startPeer } from './outbound-fixture.js';

const acme = 'ten_acme' as TenantId;
const WORDS = 'Tea is a drink, made of leaves, water and time. ';
/** 17 kilobytes whose reading takes many seconds. */
const ODD = `${'<div>'.repeat(20_000)}${`<p>${WORDS.repeat(3)}</p>`.repeat(20)}`;

let peer: Peer;
let reader: PageReader;
beforeAll(async () => {
  // Threads run what was compiled.
  reader = new PageReader(new URL('../dist/tools/web-fetch/page-worker.js', import.meta.url));
  peer = await startPeer((request, response) => {
    const answer = PAGES[request.url ?? ''];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
});
afterAll(async () => {
  await reader.close();
  await peer.close();
});

const send = (type: string, body: string | Buffer) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': type }).end(body);
const PAGES: Record<string, (response: ServerResponse) => unknown> = {
  '/tea': send(
    'text/html; charset=utf-8',
    `<html><head><title>Tea</title></head><body><article>${`<p>${WORDS.repeat(5)}</p>`.repeat(100)}</article></body></html>`,
  ),
  '/latin': send(
    'text/html',
    Buffer.from(
      `<html><head><meta charset="iso-8859-1"><title>Grün</title></head><body><p>Grüner Tee</p></body></html>`,
      'latin1',
    ),
  ),
  '/json': send('application/json', '{"tea":"green"}'),
  '/pdf': send('application/pdf', '%PDF-1.7'),
  '/image': send('image/png', 'x'),
  '/big': send('text/plain', 'x'.repeat(3_000_000)),
  '/odd': send('text/html', ODD),
  '/moved': (response) => response.writeHead(301, { location: '/json' }).end(),
  '/inside': (response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/cut': (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
    response.write('<html>', () => response.socket?.resetAndDestroy());
  },
};

function fetchPage(args: JsonObject, allow = ['127.0.0.1']): Promise<ToolOutcome> {
  const tool = toolDefinition.parse({
    key: 'web_fetch',
    title: 'Read',
    description: 'Reads.',
    parameters: {},
    executor: { kind: 'builtin', name: 'web_fetch' },
  });
  const invocation: ToolInvocation = {
    callId: 'tc_1',
    runId: 'run_1',
    tool,
    arguments: args,
    idempotencyKey: 'tc_1',
    callback: null,
    offered: [],
    progress: () => {},
  };
  const executor = new WebFetchExecutor(outboundTo(allow), reader);
  return executor.execute(acme, invocation, new AbortController().signal);
}
const fetchPath = (path: string, more: JsonObject = {}) => fetchPage({ url: peer.url + path, ...more });

describe('a page of the web', () => {
  test('is read a piece at a time, and the pieces are the whole', async () => {
    let text = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const outcome = await fetchPath('/tea', { offset });
      if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
      const piece = outcome.value as {
        text: string;
        title: string;
        totalCharacters: number;
        nextOffset: number | null;
      };
      expect(piece).toMatchObject({ title: 'Tea', offset, url: `${peer.url}/tea` });
      expect(countTokens(JSON.stringify(piece))).toBeLessThanOrEqual(2000);
      text += piece.text;
      if (piece.nextOffset === null) expect(text).toHaveLength(piece.totalCharacters);
      offset = piece.nextOffset;
    }
    expect(text.split(WORDS.trim())).toHaveLength(501);
  });

  test('is read in its charset, and where it has moved to', async () => {
    expect(await fetchPath('/latin')).toMatchObject({ value: { title: 'Grün', text: 'Grüner Tee' } });
    expect(await fetchPath('/moved')).toMatchObject({
      value: { url: `${peer.url}/json`, text: '{"tea":"green"}', nextOffset: null },
    });
  });

  test.each<[string, string, RegExp]>([
    ['/pdf', 'unsupported_content', /a PDF, which this tool cannot read.*Try another page/],
    ['/image', 'unsupported_content', /image\/png/],
    ['/big', 'too_large', /more than 2097152 bytes/],
    ['/nothing', 'http_404', /404 \(Not Found\)/],
    ['/cut', 'unavailable', /cut the connection/],
    ['/inside', 'blocked_address', /Only pages of the public internet/],
  ])('%s is an error that says what to do', async (path, code, message) => {
    expect(await fetchPath(path)).toMatchObject({
      kind: 'failed',
      error: { code, message: expect.stringMatching(message) },
    });
  });

  test.each<[JsonObject, RegExp]>([
    [{ url: 7 }, /url must be a text/],
    [{ url: 'tea.example' }, /whole http or https URL/],
    [{ url: 'file:///etc/passwd' }, /whole http or https URL/],
    [{ url: 'https://tea.example', offset: -1 }, /offset a whole number/],
  ])('with the arguments %j is told what was expected', async (args, message) => {
    expect(await fetchPage(args)).toMatchObject({
      error: { code: 'invalid_arguments', message: expect.stringMatching(message) },
    });
  });

  test('beyond its end is told how long it is', async () => {
    expect(await fetchPath('/json', { offset: 500 })).toMatchObject({
      error: { code: 'invalid_arguments', message: expect.stringContaining('15 characters') },
    });
  });

  test('of the own machine is not read', async () => {
    expect(await fetchPage({ url: `${peer.url}/json` }, [])).toMatchObject({
      error: { code: 'blocked_address' },
    });
  });

  test('that is made to be slow is given up, and meanwhile everything else goes on', async () => {
    const odd = fetchPath('/odd');
    let longestMs = 0;
    let last = performance.now();
    const pulse = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 20);
    expect(await odd).toMatchObject({
      error: { code: 'unsupported_content', message: expect.stringContaining('sensible time') },
    });
    clearInterval(pulse);
    expect(longestMs).toBeLessThan(4000);
    expect(await fetchPath('/latin')).toMatchObject({ kind: 'succeeded' });
  });
});
