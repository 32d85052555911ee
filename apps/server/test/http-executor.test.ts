import type { RequestListener } from 'node:http';
import type { ArtifactStore, ToolInvocation, ToolOutcome } from '@plinth/engine';
import { type JsonObject, type TenantId, toolDefinition } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../src/platform/system-clock.js';
import type { RevealedSecrets } from '../src/secrets/tenant-secrets.js';
import { HttpExecutor } from '../src/tools/http/http-executor.js';
import { outboundTo, type Peer, startPeer } from './outbound-fixture.js';

const acme = 'ten_acme' as TenantId;
const SECRET = 'sesame/open the door';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let peer: Peer | undefined;
const received: {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}[] = [];
afterEach(async () => {
  await peer?.close();
  received.length = 0;
});

/** Calls a tool whose service answers like this. */
async function call(
  answer: RequestListener,
  {
    executor = {},
    tool = {},
    args = {},
    secrets = { KEY: SECRET },
    allow = ['127.0.0.1'],
  }: {
    executor?: JsonObject;
    tool?: JsonObject;
    args?: JsonObject;
    secrets?: Record<string, string>;
    allow?: string[];
  } = {},
): Promise<ToolOutcome & { stored: Uint8Array[] }> {
  peer = await startPeer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ method: request.method, url: request.url, headers: request.headers, body });
    answer(request, response);
  });
  const stored: Uint8Array[] = [];
  const artifacts: ArtifactStore = {
    async put(_tenant, bytes) {
      stored.push(bytes);
      return { storageKey: `key-${stored.length}`, sizeBytes: bytes.length, sha256: 'hash' };
    },
    async get() {
      throw new Error('not needed here');
    },
    async remove() {
      throw new Error('not needed here');
    },
  };
  const reveal = async (_tenant: TenantId, names: readonly string[]): Promise<RevealedSecrets> => ({
    values: new Map(Object.entries(secrets).filter(([name]) => names.includes(name))),
    missing: names.filter((name) => !(name in secrets)),
    unreadable: [],
  });
  const definition = toolDefinition.parse({
    key: 'pets',
    title: 'Pets',
    description: 'Pets.',
    parameters: {},
    executor: { kind: 'http', url: `${peer.url}/pets`, ...executor },
    timeoutMs: 20_000,
    ...tool,
  });
  const invocation: ToolInvocation = {
    callId: 'tc_1',
    runId: 'run_1',
    tool: definition,
    arguments: args,
    idempotencyKey: 'tc_1',
    callback: null,
    offered: [],
    progress: () => {},
  };
  const clock = { ...systemClock, now: () => new ManualClock().now() };
  const http = new HttpExecutor({ outbound: outboundTo(allow), secrets: { reveal }, artifacts, clock });
  return { ...(await http.execute(acme, invocation, new AbortController().signal)), stored };
}
const send =
  (
    status: number,
    body: string | Buffer | JsonObject = '',
    headers: Record<string, string> = {},
  ): RequestListener =>
  (_request, response) => {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
    response.writeHead(status, { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers });
    response.end(isJson ? JSON.stringify(body) : body);
  };
const reset: RequestListener = (_request, response) => void response.socket?.resetAndDestroy();
const errorOf = (outcome: ToolOutcome) => (outcome.kind === 'failed' ? outcome.error : outcome);
const POST = { method: 'POST', body: { name: '{{args.name}}' } };

describe('a good answer', () => {
  test('that is JSON is the result, or the part of it that the tool selects', async () => {
    const body = { data: { items: [{ id: 1 }] }, 'a/b': 2 };
    expect(await call(send(200, body))).toMatchObject({ kind: 'succeeded', value: body, files: [] });
    expect(
      await call(send(200, body), { executor: { response: { select: '/data/items/0' } } }),
    ).toMatchObject({ value: { id: 1 } });
    expect(await call(send(200, body), { executor: { response: { select: '/a~1b' } } })).toMatchObject({
      value: 2,
    });
    const outcome = await call(send(200, body), { executor: { response: { select: '/data/none' } } });
    expect(errorOf(outcome)).toMatchObject({
      code: 'unsupported_content',
      message: expect.stringContaining('/data/none'),
    });
  });

  test('that is text is the text, in its charset', async () => {
    const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
    expect(await call(send(200, Buffer.from('Grün', 'latin1'), headers))).toMatchObject({ value: 'Grün' });
  });

  test('that is anything else is stored as a file, named by the service and known by its bytes', async () => {
    const outcome = await call(
      send(200, PNG, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="../a b.png"',
      }),
    );
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      value: { file: 'a b.png', mimeType: 'image/png', sizeBytes: PNG.length },
      files: [{ title: 'a b.png', kind: 'image', mimeType: 'image/png', storageKey: 'key-1' }],
    });
    expect(Buffer.compare(outcome.stored[0] ?? new Uint8Array(), PNG)).toBe(0);
  });

  test('that is empty says its status', async () => {
    expect(await call(send(204))).toMatchObject({ value: { status: 204 } });
  });
});

describe('what is sent', () => {
  test('holds arguments, secrets and, but for GET, the idempotency key', async () => {
    await call(send(200, {}), {
      executor: { ...POST, headers: { Authorization: 'Bearer {{secrets.KEY}}' } },
      args: { name: 'Ada' },
    });
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/pets',
      headers: {
        authorization: `Bearer ${SECRET}`,
        'idempotency-key': 'tc_1',
        'content-type': 'application/json',
      },
      body: '{"name":"Ada"}',
    });
    await call(send(200, {}));
    expect(received[1]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('nothing is sent when a secret is missing, and its name is told', async () => {
    const outcome = await call(send(200), { executor: { headers: { 'X-Key': '{{secrets.OTHER}}' } } });
    expect(errorOf(outcome)).toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('secret OTHER'),
    });
    expect(received).toEqual([]);
  });

  test('a secret that the service repeats does not come back, whether in a result, a text or an error', async () => {
    const executor = { headers: { 'X-Key': '{{secrets.KEY}}' } };
    const said = `You sent ${SECRET} or ${encodeURIComponent(SECRET)}`;
    for (const answer of [
      send(200, { said, [SECRET]: 1 }),
      send(200, said),
      send(422, { message: said }),
      send(401, said),
      send(500, said),
    ]) {
      const outcome = JSON.stringify(await call(answer, { executor }));
      expect(outcome).toContain('[secret KEY]');
      expect(outcome).not.toContain('sesame');
    }
  });
});

describe('an answer that is no success', () => {
  test.each<[number, JsonObject | string, Record<string, string>, string, RegExp]>([
    [404, { code: 'no_such_pet', message: 'There is no pet 7.' }, {}, 'no_such_pet', /^There is no pet 7\.$/],
    [400, { title: 'Bad', detail: 'id must be a number' }, {}, 'http_400', /id must be a number/],
    [401, '', {}, 'not_permitted', /status 401.*set-up of this tool/],
    [403, { error: { code: 'x', message: 'Read only.' } }, {}, 'not_permitted', /Read only\..*Do not retry/],
    [429, 'Slow down', { 'retry-after': '7' }, 'rate_limited', /within 7 seconds/],
    [
      429,
      'Slow down',
      { 'retry-after': 'Sun, 29 Nov 2026 09:01:00 GMT' },
      'rate_limited',
      /within 60 seconds/,
    ],
    [429, 'Slow down', {}, 'rate_limited', /Do not retry now/],
    [500, 'Oops', {}, 'unavailable', /status 500: Oops Do not retry now/],
    [503, '', {}, 'unavailable', /status 503/],
    [408, '', {}, 'unavailable', /status 408/],
  ])('%i says so, and what to do (%j)', async (status, body, headers, code, message) => {
    expect(errorOf(await call(send(status, body, headers)))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('is cut to what a model can bear', async () => {
    const error = errorOf(await call(send(422, 'x'.repeat(500_000)))) as { message: string };
    expect(error.message).toHaveLength(2000);
  });
});

describe('a request that may change something', () => {
  test.each<[string, RequestListener, string]>([
    ['whose connection is cut', reset, 'connection_lost'],
    ['that is answered with 500', send(500, 'Oops'), 'http_500'],
    ['that is answered with 502', send(502), 'http_502'],
  ])('%s has an unknown outcome, and is not sent again', async (_what, answer, code) => {
    const outcome = await call(answer, { executor: POST, args: { name: 'x' } });
    expect(outcome).toMatchObject({ kind: 'unknown', error: { code } });
    expect(received).toHaveLength(1);
  });

  test('that was taken, but whose answer cannot be used, is told to have been carried out', async () => {
    const outcome = await call(send(201, '<html>', { 'content-type': 'text/html' }), {
      executor: { ...POST, response: { as: 'json' } },
      args: { name: 'x' },
    });
    expect(errorOf(outcome)).toMatchObject({
      code: 'unsupported_content',
      message: expect.stringMatching(/carried out \(status 201\).*Do not repeat/),
    });
  });

  test('is only unavailable when the tool is declared idempotent, or when nothing can have been sent', async () => {
    expect(
      errorOf(await call(reset, { executor: POST, args: { name: 'x' }, tool: { idempotent: true } })),
    ).toMatchObject({ code: 'unavailable' });
    expect(errorOf(await call(send(503), { executor: POST, args: { name: 'x' } }))).toMatchObject({
      code: 'unavailable',
    });
    const nobody = { executor: { ...POST, url: 'http://127.0.0.1:9/' }, args: { name: 'x' } };
    expect(errorOf(await call(reset, nobody))).toMatchObject({ code: 'unavailable' });
    expect(errorOf(await call(reset, { executor: POST, args: { name: 'x' }, allow: [] }))).toMatchObject({
      code: 'blocked_address',
    });
  });

  test('that is not answered in time has an unknown outcome; a GET has only timed out', async () => {
    const tool = { timeoutMs: 300 };
    expect(await call(() => {}, { executor: POST, args: { name: 'x' }, tool })).toMatchObject({
      kind: 'unknown',
      error: { code: 'timed_out' },
    });
    expect(errorOf(await call(() => {}, { tool }))).toMatchObject({
      code: 'timed_out',
      message: expect.stringContaining('270 ms'),
    });
  });
});

describe('JSON that no model can use', () => {
  test.each<[string, string]>([
    ['broken JSON', '{"a":'],
    ['JSON as deep as it is long', '['.repeat(100_000)],
    ['valid JSON that is nested too deeply', `${'['.repeat(101)}1${']'.repeat(101)}`],
  ])('%s is refused', async (_what, body) => {
    expect(errorOf(await call(send(200, body, { 'content-type': 'application/json' })))).toMatchObject({
      code: 'unsupported_content',
    });
  });

  test('brackets inside a text are no nesting, and a NUL is left out', async () => {
    const text = `${'['.repeat(300)}"\\`;
    expect(await call(send(200, { text, nul: 'a\0b' }))).toMatchObject({ value: { text, nul: 'ab' } });
  });
});
