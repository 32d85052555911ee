import type { IdentityProviderView, JsonObject, Page } from '@plinth/protocol';
import type { ApiClient } from '@plinth/testkit/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IdentityPeer } from '../identity-peer.js';
import { withPlinth } from './with-plinth.js';

const plinth = withPlinth();
let idp: IdentityPeer;
beforeAll(async () => {
  idp = await IdentityPeer.start();
});
afterAll(() => idp.close());

const definition = (audience: string, more: JsonObject = {}): JsonObject => ({
  issuer: 'https://idp.example',
  audience,
  ...more,
});
const pathOf = (key: string) => `/v1/identity-providers/${key}`;
const put = (client: ApiClient, key: string, body: JsonObject) =>
  client.call<IdentityProviderView>('PUT', pathOf(key), body);

it('a provider that is set up is listed with its defaults, and a change raises its revision; the same again does not', async () => {
  const { backend } = plinth();
  const first = await put(backend, 'login', definition('first'));
  expect(first).toMatchObject({
    key: 'login',
    revision: 1,
    issuer: 'https://idp.example',
    endUser: { claim: 'sub', prefix: 'login:' },
    scopes: { runs: true, debug: false },
    agents: 'any',
  });
  expect(await put(backend, 'login', definition('first'))).toEqual(first);
  const second = await put(backend, 'login', definition('first', { agents: ['tester'] }));
  expect(second).toMatchObject({ revision: 2, agents: ['tester'] });
  expect(await backend.call('GET', pathOf('login'))).toEqual(second);
  const { items } = await backend.call<Page<IdentityProviderView>>('GET', '/v1/identity-providers');
  expect(items).toEqual([second]);
});

it('a change that was made on another revision is refused with the one that is there', async () => {
  const { backend } = plinth();
  await put(backend, 'moving', definition('moving', { expectedRevision: 0 }));
  expect(
    await backend.raw('PUT', pathOf('moving'), definition('elsewhere', { expectedRevision: 0 })),
  ).toMatchObject({
    status: 409,
    body: { code: 'identity_provider_conflict', facts: { currentRevision: 1 } },
  });
  expect(await put(backend, 'moving', definition('elsewhere', { expectedRevision: 1 }))).toMatchObject({
    revision: 2,
  });
});

it('what is wrong is named field by field, and nothing is written', async () => {
  const { backend } = plinth();
  const bad = { issuer: 'http://idp.example', audience: 'a b', algorithms: ['HS256'], extra: 1 };
  const refused = (await backend.raw('PUT', pathOf('bad'), bad)) as {
    status: number;
    body: { code: string; errors: { path: string }[] };
  };
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(refused.body.errors.map(({ path }) => path).sort()).toEqual(['', 'algorithms.0', 'audience']);
  expect(
    await backend.raw('PUT', pathOf('bad'), definition('bad', { issuer: 'http://idp.example' })),
  ).toMatchObject({ status: 400, body: { errors: [{ path: 'issuer' }] } });
  expect(await backend.raw('PUT', pathOf('Not a key'), definition('bad'))).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'key' }] },
  });
  expect(await backend.raw('GET', pathOf('bad'))).toMatchObject({ status: 404 });
});

it('another tenant does not see, change or remove a provider, and may have one of the same key', async () => {
  const { backend } = plinth();
  const mine = await put(backend, 'shared-name', definition('mine'));
  const other = await plinth().addBusiness({ key: 'globex', tools: [] });
  const path = pathOf('shared-name');
  expect(await other.raw('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await other.raw('DELETE', path)).toMatchObject({ status: 404 });
  expect(await other.raw('POST', `${path}/check`)).toMatchObject({ status: 404 });
  expect(await other.call('GET', '/v1/identity-providers')).toEqual({ items: [], nextCursor: null });
  expect(await put(other, 'shared-name', definition('theirs'))).toMatchObject({ revision: 1 });
  expect(await backend.call('GET', path)).toEqual(mine);
  await backend.call('DELETE', path);
  expect(await backend.raw('GET', path)).toMatchObject({ status: 404 });
  expect(await other.call('GET', path)).toMatchObject({ audience: 'theirs' });
});

it('a pair of issuer and audience that another tenant has is refused like one of the own tenant, until it is free', async () => {
  const { backend } = plinth();
  const other = await plinth().addBusiness({ key: 'initech', tools: [] });
  await put(backend, 'first', definition('contested'));
  const refusal = async (client: ApiClient, key: string) => {
    const { status, body } = await client.raw('PUT', pathOf(key), definition('contested'));
    const { requestId: _, ...rest } = body as JsonObject;
    return { status, body: rest };
  };
  const byOther = await refusal(other, 'theirs');
  expect(byOther).toMatchObject({
    status: 409,
    body: { code: 'identity_provider_taken', errors: [{ path: 'audience' }] },
  });
  expect(byOther).toEqual(await refusal(backend, 'second'));
  expect(JSON.stringify(byOther)).not.toContain('acme');
  await backend.call('DELETE', pathOf('first'));
  expect(await put(other, 'theirs', definition('contested'))).toMatchObject({ revision: 1 });
});

it('of many who want one pair at once exactly one gets it', async () => {
  const { backend } = plinth();
  const other = await plinth().addBusiness({ key: 'hooli', tools: [] });
  const outcomes = await Promise.all(
    [backend, other, backend, other].map((client, index) =>
      client.raw('PUT', pathOf(`racer-${index}`), definition('raced-for')),
    ),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

it('a check fetches the keys and names them, or says why they cannot be had', async () => {
  const { backend } = plinth();
  await put(backend, 'real', { issuer: idp.issuer, audience: 'real' });
  expect(await backend.call('POST', `${pathOf('real')}/check`)).toEqual({
    ok: true,
    keys: [{ kid: 'key-1', kty: 'EC', alg: 'ES256' }],
  });
  await put(backend, 'real', { issuer: idp.issuer, audience: 'real', jwksUrl: `${idp.issuer}/nothing` });
  expect(await backend.call('POST', `${pathOf('real')}/check`)).toEqual({
    ok: false,
    reason: 'bad_status',
    detail: 'The identity provider answered with status 404 when it was asked for its keys.',
  });
});

it('an end user has no way to providers', async () => {
  const ada = await plinth().session('ada');
  for (const [method, path, body] of [
    ['GET', '/v1/identity-providers', undefined],
    ['GET', pathOf('login'), undefined],
    ['PUT', pathOf('hers'), definition('hers')],
    ['POST', `${pathOf('login')}/check`, undefined],
    ['DELETE', pathOf('login'), undefined],
  ] as const)
    expect(await ada.raw(method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});
