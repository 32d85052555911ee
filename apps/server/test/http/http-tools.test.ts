import { gzipSync } from 'node:zlib';
import { scripted } from '@plinth/model-sim';
import type { JsonObject } from '@plinth/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Peer, startPeer } from '../outbound-fixture.js';
import { object, withPlinth } from './with-plinth.js';

const SECRET = 'sesame-open-the-door';
const BOMB = gzipSync(Buffer.alloc(20_000_000));
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let peer: Peer;
/** Listens where nobody may go. */
let inside: Peer;
beforeAll(async () => {
  inside = await startPeer((_request, response) => void response.end('inside'));
  peer = await startPeer(async (request, response) => {
    request.resume();
    const json = (status: number, body: unknown, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    switch (request.url?.split('/').at(-1)) {
      case 'good':
        return json(200, { pet: 'Rex', youSent: request.headers.authorization });
      case 'picture':
        return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
      case 'no-such-pet':
        return json(404, { code: 'no_such_pet', message: 'There is no such pet.' });
      case 'not-let-in':
        return json(401, { message: `The token ${SECRET} is not ours.` });
      case 'too-many':
        return json(429, {}, { 'retry-after': '7' });
      case 'broken':
        return json(500, { message: 'Oops.' });
      case 'silent':
        return;
      case 'trickle': {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const timer = setInterval(() => response.write('x'), 20);
        return response.on('close', () => clearInterval(timer));
      }
      case 'reset':
        return response.socket?.resetAndDestroy();
      case 'cut-in-the-middle':
        response.writeHead(200, { 'content-length': '1000', 'content-type': 'application/json' });
        return response.write('{"a":', () => response.socket?.resetAndDestroy());
      case 'endless': {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        return more();
      }
      case 'bomb':
        return response
          .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
          .end(BOMB);
      case 'page':
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>');
      case 'half-json':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":');
      case 'nul':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"summary":"a\\u0000b"}');
      case 'to-inside':
        return response.writeHead(302, { location: `http://localhost:${inside.port}/` }).end();
      case 'round-and-round':
        return response.writeHead(302, { location: '/pets/round-and-round' }).end();
      default:
        return json(400, {});
    }
  });
});
afterAll(() => Promise.all([peer?.close(), inside?.close()]));

const pets = (key: string, executor: JsonObject): JsonObject => ({
  key,
  title: 'Pets',
  description: 'Looks a pet up.',
  parameters: object({ name: { type: 'string' } }),
  timeoutMs: 1000,
  executor: {
    kind: 'http',
    url: `${peer.url}/pets/{{args.name}}`,
    headers: { authorization: 'Bearer {{secrets.PETS}}' },
    ...executor,
  },
});
const environment = {
  // The peer's port is known when it listens.
  get PLINTH_OUTBOUND_ALLOW() {
    return `127.0.0.1:${peer.port}`;
  },
  get PLINTH_WEB_FETCH_ALLOW() {
    return `127.0.0.1:${peer.port}`;
  },
};
const plinth = withPlinth(environment, () => [
  pets('look_up', {}),
  pets('look_up_json', { response: { as: 'json' } }),
  pets('change', { method: 'POST', body: {} }),
  pets('metadata', { url: 'http://169.254.169.254/{{args.name}}' }),
  {
    key: 'web_fetch',
    title: 'Read a page',
    description: 'Reads a page.',
    parameters: object({ url: { type: 'string' } }),
    executor: { kind: 'builtin', name: 'web_fetch' },
  },
  pets('unset', { headers: { authorization: '{{secrets.NOT_SET}}' } }),
]);

/** What each call is answered with, in the order of the calls. */
const CALLS: [tool: string, name: string, expected: { code: string } | 'succeeded'][] = [
  ['look_up', 'good', 'succeeded'],
  ['look_up', 'no-such-pet', { code: 'no_such_pet' }],
  ['look_up', 'not-let-in', { code: 'not_permitted' }],
  ['look_up', 'too-many', { code: 'rate_limited' }],
  ['look_up', 'broken', { code: 'unavailable' }],
  ['look_up', 'silent', { code: 'timed_out' }],
  ['look_up', 'trickle', { code: 'timed_out' }],
  ['look_up', 'reset', { code: 'unavailable' }],
  ['look_up', 'cut-in-the-middle', { code: 'unavailable' }],
  ['look_up', 'endless', { code: 'too_large' }],
  ['look_up', 'bomb', { code: 'too_large' }],
  ['look_up_json', 'page', { code: 'unsupported_content' }],
  ['look_up', 'half-json', { code: 'unsupported_content' }],
  ['look_up', 'to-inside', { code: 'blocked_address' }],
  ['look_up', 'round-and-round', { code: 'bad_redirect' }],
  ['look_up', '..', { code: 'invalid_arguments' }],
  ['metadata', 'latest', { code: 'blocked_address' }],
  ['unset', 'good', { code: 'not_configured' }],
  ['change', 'reset', { code: 'connection_lost' }],
  ['change', 'broken', { code: 'http_500' }],
  ['look_up', 'nul', 'succeeded'],
  ['look_up', 'picture', 'succeeded'],
];

it('whatever a service does, the model reads what it was and what to do, and the conversation goes on to its end', async () => {
  const { backend, sim, session, servers } = plinth();
  await backend.call('PUT', '/v1/secrets/PETS', { value: SECRET });
  // Here one host fails all the time, and each of its failures is to be seen.
  const values = { tools: { breaker: { failures: 1000 } } };
  const { revision } = await backend.call<{ revision: number }>('GET', '/v1/config');
  await backend.call('PUT', '/v1/config', { expectedRevision: revision, values, reason: 'no circuit' });
  sim.setScenarios([
    scripted([
      ...CALLS.map(([name, pet]) => ({ toolCalls: [{ name, arguments: { name: pet } }] })),
      { text: 'That was all.' },
    ]),
  ]);
  const ada = await session('ada');
  const run = await ada.start('look them all up');
  const view = await ada.ended(run.messageId, 60_000);
  expect(view).toMatchObject({ status: 'completed', reason: 'final_answer' });

  const last = JSON.parse(sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  const results = last.messages
    .filter(({ role }) => role === 'tool')
    .map(
      ({ content }) =>
        JSON.parse(content) as {
          result?: unknown;
          status?: string;
          error?: { code: string; message: string };
          advice?: string;
        },
    );
  expect(
    results.map(({ error }, index) => [
      CALLS[index]?.[0],
      CALLS[index]?.[1],
      error ? { code: error.code } : 'succeeded',
    ]),
  ).toEqual(CALLS);
  // Each says what to do, but for the business's own refusals.
  for (const { error, advice } of results)
    if (error && error.code !== 'no_such_pet')
      expect(`${error.message} ${advice}`).toMatch(/retry|again|repeat/i);
  const unknown = CALLS.filter((_call, index) => results[index]?.status === 'unknown');
  expect(unknown.map(([tool, name]) => `${tool} ${name}`)).toEqual(['change reset', 'change broken']);
  expect(results[0]).toMatchObject({ result: { pet: 'Rex', youSent: 'Bearer [secret PETS]' } });
  expect(view.artifacts).toMatchObject([{ kind: 'image', mimeType: 'image/png', title: 'picture' }]);
  expect(inside.connections).toBe(0);

  const events = await ada.stream(run.messageId);
  for (const place of [sim.requests, events, view, servers.map(({ log }) => log)])
    expect(JSON.stringify(place)).not.toContain(SECRET);
}, 90_000);

it('a page of the web is read, one that is not on the public internet is not', async () => {
  const { sim, session } = plinth();
  const calls = [`${peer.url}/pets/page`, inside.url].map((url) => ({
    name: 'web_fetch',
    arguments: { url },
  }));
  sim.setScenarios([scripted([{ toolCalls: calls }, { text: 'Read.' }])]);
  const run = await (await session('ada')).start('read it');
  const ada = await session('ada');
  expect(await ada.ended(run.messageId)).toMatchObject({ reason: 'final_answer' });
  const last = JSON.parse(sim.requests.at(-1)?.raw ?? '{}') as {
    messages: { role: string; content: string }[];
  };
  const results = last.messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content) as unknown);
  expect(results).toMatchObject([{ result: { text: '## Log in' } }, { error: { code: 'blocked_address' } }]);
  expect(inside.connections).toBe(0);
});
