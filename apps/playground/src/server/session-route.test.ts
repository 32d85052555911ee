import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionRoute } from './session-route.js';

type Seen = { headers: IncomingMessage['headers']; url: string; body: unknown };

const SESSION = { token: 'st_abc', expiresAt: '2030-01-01T00:00:00.000Z' };

let plinth: Server;
let seen: Seen[];
let respond: { status: number; body: string } | 'never';
let app: FastifyInstance;

beforeEach(async () => {
  seen = [];
  respond = { status: 200, body: JSON.stringify(SESSION) };
  plinth = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({
      headers: request.headers,
      url: request.url ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    if (respond === 'never') return;
    response.writeHead(respond.status, { 'content-type': 'application/json' }).end(respond.body);
  });
  await new Promise<void>((resolve) => plinth.listen(0, '127.0.0.1', resolve));
  app = backendFor(address());
});

afterEach(async () => {
  await app.close();
  plinth.closeAllConnections();
  await new Promise((resolve) => plinth.close(resolve));
});

const address = () => `http://127.0.0.1:${(plinth.address() as AddressInfo).port}`;

function backendFor(url: string, timeoutMs = 4000, inspector = false): FastifyInstance {
  const backend = Fastify({ trustProxy: '127.0.0.1' });
  sessionRoute(backend, { plinth: { url, apiKey: 'pk_secret', timeoutMs }, inspector });
  return backend;
}

const visit = (headers: Record<string, string> = {}, backend = app) =>
  backend.inject({ method: 'POST', url: '/playground/api/session', headers });

function endUserOf(index: number): string {
  const body = seen[index]?.body as { endUserId: string } | undefined;
  return body?.endUserId ?? '';
}

describe('POST /playground/api/session', () => {
  test('hands out a token and keeps the API key to itself', async () => {
    const response = await visit();
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(SESSION);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(seen[0]).toMatchObject({
      url: '/v1/session-tokens',
      headers: { authorization: 'Bearer pk_secret' },
      body: { ttlSeconds: 900, agent: 'poster-studio' },
    });
    expect(JSON.stringify([response.headers, response.body])).not.toContain('pk_secret');
  });

  test('only where the inspector is on do the tokens show what the model was sent', async () => {
    const backend = backendFor(address(), 4000, true);
    await visit();
    await visit({}, backend);
    await backend.close();
    expect(seen.map(({ body }) => (body as { scopes: string[] }).scopes)).toEqual([[], ['debug']]);
  });

  test('the same browser is the same end user, another browser is another', async () => {
    const first = await visit();
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    await visit({ cookie: `other=1; ${cookie}` });
    await visit();
    expect(endUserOf(1)).toBe(endUserOf(0));
    expect(endUserOf(2)).not.toBe(endUserOf(0));
  });

  test('the cookie cannot be read by scripts, and the end user id does not give it away', async () => {
    const cookie = String((await visit()).headers['set-cookie']);
    expect(cookie).toMatch(
      /^poster_studio_user=[\w-]{43}; Path=\/playground; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toContain(endUserOf(0).replace('visitor_', ''));
    expect(String((await visit({ 'x-forwarded-proto': 'https' })).headers['set-cookie'])).toMatch(
      /; Secure$/,
    );
  });

  test('a cookie that this backend did not make is replaced', async () => {
    const response = await visit({ cookie: 'poster_studio_user=admin' });
    expect(String(response.headers['set-cookie'])).not.toContain('=admin;');
    expect(endUserOf(0)).toMatch(/^visitor_[0-9a-f]{24}$/);
  });

  test('a Plinth that is not there is a 502 which says what to check', async () => {
    const backend = backendFor('http://127.0.0.1:9');
    const response = await visit({}, backend);
    expect(response.statusCode).toBe(502);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.json()).toMatchObject({ status: 502, code: 'plinth_unreachable' });
    await backend.close();
  });

  test('a Plinth that does not answer is a 504', async () => {
    respond = 'never';
    const backend = backendFor(address(), 50);
    const response = await visit({}, backend);
    await backend.close();
    expect(response.statusCode).toBe(504);
    expect(response.json()).toMatchObject({ code: 'plinth_timeout' });
  });

  test.each([
    [{ status: 401, body: '{}' }, 'PLINTH_API_KEY'],
    [{ status: 200, body: '{"token":1}' }, 'PLINTH_URL'],
    [{ status: 200, body: '<html>' }, 'PLINTH_URL'],
  ])('a refusal or a wrong answer (%o) is a 502 and names the setting to check', async (answer, hint) => {
    respond = answer;
    const response = await visit();
    expect(response.statusCode).toBe(502);
    expect(response.json().code).toBe('plinth_refused');
    expect(response.json().detail).toContain(hint);
  });
});
