import { createPlinth } from '@plinth/client';
import type { JsonObject, Problem } from '@plinth/protocol';
import { createTestDatabase, createTestRedis } from '@plinth/testkit';
import { ApiClient, type PlinthUnderTest, startPlinth } from '@plinth/testkit/system';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { IdentityPeer } from '../identity-peer.js';
import { askingModel, tools } from './with-plinth.js';

/** Two API processes, and pages that send the tokens of their own identity provider to either. */
let plinth: PlinthUnderTest;
let drop: () => Promise<unknown>;
let output = '';
let idp: IdentityPeer;
let audience: string;
let count = 0;

beforeAll(async () => {
  const provided = inject('plinth');
  const [database, redis] = [await createTestDatabase(provided), await createTestRedis(provided)];
  plinth = await startPlinth({
    topology: 'cluster',
    workers: 1,
    appUrl: database.appUrl,
    redisUrl: redis.url,
    business: (jobs) => ({ key: 'acme', tools: tools(jobs) }),
    environment: { PLINTH_LOG_LEVEL: 'debug' },
    watch: (server) => {
      server.onOutput = (text) => {
        output += text;
      };
    },
  });
  drop = async () => {
    await plinth.close();
    await redis.drop();
    await database.drop();
  };
}, 180_000);
afterAll(() => drop());
beforeEach(async () => {
  plinth.sim.setScenarios([askingModel]);
  idp = await IdentityPeer.start();
  count += 1;
  audience = `api-${count}`;
});
afterEach(async () => {
  await plinth.backend.raw('DELETE', '/v1/identity-providers/login');
  await idp.close();
});

const setUp = (more: JsonObject = {}, backend = plinth.backend) =>
  backend.call('PUT', '/v1/identity-providers/login', { issuer: idp.issuer, audience, ...more });
/** A page of this person, that calls each process of the two. */
async function pages(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const token = await idp.token({ aud: audience, ...claims }, header);
  return plinth.apis.map(({ url }) => new ApiClient(url, token));
}
async function refusals(token: string): Promise<{ status: number; code: string; reason: unknown }[]> {
  return Promise.all(
    plinth.apis.map(async ({ url }) => {
      const { status, body } = await new ApiClient(url, token).raw('GET', '/v1/threads');
      const { code, facts } = body as Problem;
      return { status, code, reason: facts?.reason };
    }),
  );
}
const twice = <T>(value: T) => [value, value];

it("a page with its provider's token starts a run in one process and answers in the other", async () => {
  await setUp();
  const [one, two] = await pages();
  const run = await one?.start('hello');
  const messageId = run?.messageId ?? '';
  const waiting = await two?.parkedOn(messageId, 'ask');
  await two?.answer(waiting?.id ?? '', { type: 'submit', value: { answer: 'because' } });
  expect(await one?.ended(messageId)).toMatchObject({ status: 'completed' });
  const hers = await plinth.session('login:ada');
  expect(await hers.call('GET', `/v1/threads/${run?.threadId}`)).toMatchObject({ id: run?.threadId });
});

it('a person sees nothing of another person, of another provider or of another tenant that has people of the same name', async () => {
  await setUp();
  const [ada] = await pages();
  const run = await ada?.start('hello');
  const waiting = await ada?.parkedOn(run?.messageId ?? '', 'ask');
  const staff = await IdentityPeer.start();
  const ofStaff = { issuer: staff.issuer, audience };
  await plinth.backend.call('PUT', '/v1/identity-providers/staff', ofStaff);
  const globex = await plinth.addBusiness({ key: `globex-${count}`, tools: [] });
  const foreign = await IdentityPeer.start();
  await globex.call('PUT', '/v1/identity-providers/login', { issuer: foreign.issuer, audience });
  const strangers = {
    eve: await idp.token({ aud: audience, sub: 'eve' }),
    staff: await staff.token({ aud: audience }),
    foreign: await foreign.token({ aud: audience }),
  };
  for (const [who, token] of Object.entries(strangers)) {
    const page = plinth.as(token);
    for (const [method, path, body] of [
      ['GET', `/v1/threads/${run?.threadId}`],
      ['GET', `/v1/threads/${run?.threadId}/messages`],
      ['GET', `/v1/threads/${run?.threadId}/events`],
      ['GET', `/v1/runs/${run?.runId}`],
      ['GET', `/v1/messages/${run?.messageId}`],
      ['GET', `/v1/messages/${run?.messageId}/events`],
      ['POST', `/v1/runs/${run?.runId}/cancel`],
      [
        'POST',
        `/v1/interrupts/${waiting?.id}/answer`,
        { requestId: 'request-foreign', answer: { type: 'submit', value: { answer: 'mine' } } },
      ],
    ] as const)
      expect({ who, path, ...(await page.raw(method, path, body)) }).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    expect(await page.call('GET', '/v1/threads')).toMatchObject({ items: [] });
  }
  await plinth.backend.call('DELETE', '/v1/identity-providers/staff');
  await Promise.all([staff.close(), foreign.close()]);
});

it('a token does what its provider is set up for, and never what an API key does', async () => {
  await setUp({
    agents: { claim: 'agents' },
    scopes: { debug: { claim: 'roles', value: 'debug' } },
  });
  const [plain] = await pages({ agents: ['tester'] });
  const run = await plain?.start('hello');
  await plain?.parkedOn(run?.messageId ?? '', 'ask');
  const context = `/v1/runs/${run?.runId}/context`;
  expect(await plain?.raw('GET', context)).toMatchObject({ status: 403 });
  const [debugging] = await pages({ agents: ['tester'], roles: ['debug'] });
  expect(await debugging?.raw('GET', context)).toMatchObject({ status: 200 });
  const [elsewhere] = await pages({ agents: ['other'], scope: 'admin', scopes: ['admin'] });
  expect(await elsewhere?.raw('POST', '/v1/runs', { agent: 'tester', input: { text: 'x' } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', facts: { agents: ['other'] } },
  });
  for (const [method, path, body] of [
    ['GET', '/v1/identity-providers'],
    ['GET', '/v1/secrets'],
    ['GET', '/v1/config'],
    ['POST', '/v1/session-tokens', { endUserId: 'eve' }],
    ['POST', '/v1/runs', { agent: 'tester', endUserId: 'eve', input: { text: 'x' } }],
  ] as const)
    expect({ path, ...(await debugging?.raw(method, path, body)) }).toMatchObject({ status: 403 });
});

it('a provider that is taken away or changed through one process is so in the other at once', async () => {
  await setUp();
  const clients = await pages();
  const token = clients[0]?.credential ?? '';
  for (const page of clients) expect(await page.raw('GET', '/v1/threads')).toMatchObject({ status: 200 });
  const [first] = plinth.apis;
  const admin = new ApiClient(first?.url ?? '', plinth.backend.credential);
  await setUp({ requiredClaims: [{ claim: 'staff', value: true }] }, admin);
  expect(await refusals(token)).toEqual(
    twice({ status: 401, code: 'unauthenticated', reason: 'claim_not_met' }),
  );
  await setUp({}, admin);
  for (const page of clients) expect(await page.raw('GET', '/v1/threads')).toMatchObject({ status: 200 });
  await admin.call('DELETE', '/v1/identity-providers/login');
  expect(await refusals(token)).toEqual(
    twice({ status: 401, code: 'unauthenticated', reason: 'unknown_provider' }),
  );
});

it('a refusal has a stable code and reason, is counted for its tenant, and no log line holds a token', async () => {
  await setUp({ scopes: { runs: { claim: 'scope', value: 'plinth' } } });
  const now = Math.floor(Date.now() / 1000);
  const ours = { aud: audience, scope: 'plinth' };
  const stranger = await IdentityPeer.start();
  const sent: string[] = [];
  const refused = async (token: string) => {
    sent.push(token);
    return refusals(token);
  };
  const unauthenticated = (reason: string) => twice({ status: 401, code: 'unauthenticated', reason });
  expect(await refused(await idp.token({ ...ours, exp: now - 60 }))).toEqual(
    twice({ status: 401, code: 'token_expired', reason: 'expired' }),
  );
  expect(await refused(await idp.token({ ...ours, nbf: now + 600 }))).toEqual(
    unauthenticated('not_yet_valid'),
  );
  expect(await refused(await idp.token({ ...ours, exp: undefined }))).toEqual(unauthenticated('bad_claims'));
  expect(await refused(await idp.token({ ...ours, aud: 'other' }))).toEqual(
    unauthenticated('unknown_provider'),
  );
  expect(await refused(await stranger.token({ ...ours, iss: idp.issuer }))).toEqual(
    unauthenticated('bad_signature'),
  );
  expect(await refused(await idp.token({ ...ours, scope: 'openid' }))).toEqual(
    twice({ status: 403, code: 'forbidden', reason: 'not_granted' }),
  );
  expect(await refused(await idp.token({ ...ours, pad: 'x'.repeat(8000) }))).toEqual(
    unauthenticated('malformed'),
  );
  idp.answer = 'status_500';
  await setUp({ jwksUrl: `${idp.issuer}/keys` });
  expect(await refused(await idp.token(ours))).toEqual(
    twice({ status: 503, code: 'identity_provider_unavailable', reason: 'keys_unavailable' }),
  );
  expect(await plinth.metric('plinth_access_token_refusals_total', { reason: 'bad_signature' })).toBe(2);
  expect(await plinth.metric('plinth_access_token_refusals_total', { tenant: '', reason: 'malformed' })).toBe(
    2,
  );
  expect(await plinth.metric('plinth_identity_keys_fetches_total', { outcome: 'bad_status' })).toBe(2);
  const page = await (await fetch(`${plinth.apis[0]?.url}/metrics`)).text();
  expect(page).toMatch(/plinth_access_token_refusals_total\{tenant="ten_\w+",reason="not_granted"\}/);
  expect(output).toContain('the identity provider answered with status 500');
  for (const token of sent)
    for (const part of token.split('.').slice(1)) expect(output).not.toContain(part.slice(0, 40));
  await stranger.close();
});

it('a stream ends when its token expires, and the client goes on with the one that the page has renewed', async () => {
  await setUp({ clockToleranceSeconds: 0 });
  const asked: boolean[] = [];
  const shortLived = async () => {
    const exp = Math.floor(Date.now() / 1000) + 3;
    return idp.token({ aud: audience, exp });
  };
  const client = createPlinth({
    baseUrl: plinth.url,
    auth: ({ refresh }) => {
      asked.push(refresh);
      return refresh ? idp.token({ aud: audience }) : shortLived();
    },
  });
  const [ada] = await pages();
  const run = await ada?.start('hello');
  const waiting = await ada?.parkedOn(run?.messageId ?? '', 'ask');
  const token = await shortLived();
  // Nothing happens in this run: what ends the stream is the token.
  await plinth.as(token).stream(run?.messageId ?? '');
  expect((await refusals(token)).map(({ code }) => code)).toEqual(twice('token_expired'));

  const thread = client.thread(run?.threadId ?? '');
  const done = new Promise<void>((resolve) => {
    const stop = thread.subscribe(() => {
      if (!JSON.stringify(thread.getSnapshot()).includes('Thanks.')) return;
      stop();
      resolve();
    });
  });
  await expect.poll(() => asked.includes(true), { timeout: 20_000 }).toBe(true);
  const [fresh] = await pages();
  await fresh?.answer(waiting?.id ?? '', { type: 'submit', value: { answer: 'because' } });
  await done;
});

it('a key that the provider has changed to is taken in every process, each asking once', async () => {
  await setUp();
  await Promise.all((await pages()).map((page) => page.call('GET', '/v1/threads')));
  const { keyRequests } = idp;
  expect(keyRequests).toBe(2);
  await idp.rotate('key-2', 'ES256', { keeps: true });
  // The processes have just asked, so the new key is refused until their cool-down has passed.
  await expect
    .poll(async () => (await refusals(await idp.token({ aud: audience }))).map(({ status }) => status), {
      timeout: 20_000,
      interval: 500,
    })
    .toEqual([200, 200]);
  expect(idp.keyRequests).toBe(4);
});
