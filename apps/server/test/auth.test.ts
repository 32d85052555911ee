import type { TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashApiKey } from '../src/auth/api-key.js';
import { ApiKeys } from '../src/auth/api-keys.js';
import { Authenticator } from '../src/auth/authenticate.js';
import { DerivedKeys } from '../src/auth/derived-keys.js';
import { AccessTokens } from '../src/auth/identity-providers/access-tokens.js';
import { KeyFetcher } from '../src/auth/identity-providers/fetch-keys.js';
import { IdentityProviders } from '../src/auth/identity-providers/identity-providers.js';
import { ProviderKeys } from '../src/auth/identity-providers/provider-keys.js';
import { requireAgent, requireApiKey, requireScope } from '../src/auth/scopes.js';
import { SessionTokens } from '../src/auth/session-tokens.js';
import {
  ADA,
  type AddedTenant,
  codeOf,
  type DatabaseFixture,
  EVERYBODY,
  openDatabase,
  refusalOf,
} from './database-fixture.js';
import { outboundTo } from './outbound-fixture.js';

let fixture: DatabaseFixture;
let apiKeys: ApiKeys;
let sessionTokens: SessionTokens;
let authenticator: Authenticator;
let acme: AddedTenant;
let bolt: AddedTenant;

beforeAll(async () => {
  fixture = await openDatabase();
  apiKeys = new ApiKeys(fixture.database, fixture.clock, fixture.ids);
  let count = 0;
  const secret = new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e');
  sessionTokens = new SessionTokens(secret, fixture.clock, () => `jti-${++count}`);
  const providers = new IdentityProviders(fixture.database, fixture.clock);
  const keys = new ProviderKeys(new KeyFetcher(outboundTo([])), fixture.clock);
  authenticator = new Authenticator(apiKeys, sessionTokens, new AccessTokens(providers, keys, fixture.clock));
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
});
afterAll(() => fixture.close());

const newKey = (tenant: TenantId, expiresAt: number | null = null) =>
  apiKeys.create(tenant, { name: 'back end', scopes: ['runs'], expiresAt });
const rowOf = (tenant: TenantId, id: string) =>
  fixture.database.inTenant(tenant, EVERYBODY, (tx) =>
    tx.apiKey.findUniqueOrThrow({ where: { tenantId_id: { tenantId: tenant, id } } }),
  );

describe('API keys', () => {
  test('a key proves its tenant and scopes, and sees every end user', async () => {
    const { clear, apiKey } = await newKey(acme.id);
    expect(await authenticator.authenticate(`Bearer ${clear}`)).toEqual({
      tenantId: acme.id,
      viewer: { endUserId: null },
      kind: 'api_key',
      id: apiKey.id,
      scopes: ['runs'],
    });
  });

  test('only a prefix and a hash are at rest', async () => {
    const { clear, apiKey } = await newKey(acme.id);
    const row = await rowOf(acme.id, apiKey.id);
    expect(row).toMatchObject({ prefix: clear.slice(4, 12), hash: hashApiKey(clear) });
    expect(JSON.stringify(row)).not.toContain(clear.slice(-32));
  });

  test('a key that differs by one character is unknown', async () => {
    const { clear } = await newKey(acme.id);
    const other = clear.slice(0, -1) + (clear.endsWith('a') ? 'b' : 'a');
    expect(await codeOf(authenticator.authenticate(`Bearer ${other}`))).toBe('unauthenticated');
  });

  test('a revoked key stops working at once, and stays as it was revoked', async () => {
    const { clear, apiKey } = await newKey(acme.id);
    await apiKeys.revoke(acme.id, apiKey.id);
    const { revokedAt } = await rowOf(acme.id, apiKey.id);
    fixture.clock.advance(5000);
    await apiKeys.revoke(acme.id, apiKey.id);
    expect((await rowOf(acme.id, apiKey.id)).revokedAt).toEqual(revokedAt);
    expect(await refusalOf(authenticator.authenticate(`Bearer ${clear}`))).toMatchObject({
      code: 'unauthenticated',
      facts: { reason: 'revoked' },
    });
  });

  test('a key ends at its expiry, and its principal says when that is', async () => {
    const expiresAt = fixture.clock.now() + 60_000;
    const { clear } = await newKey(acme.id, expiresAt);
    expect(await authenticator.authenticate(`Bearer ${clear}`)).toMatchObject({ expiresAt });
    fixture.clock.advance(60_000);
    expect(await refusalOf(authenticator.authenticate(`Bearer ${clear}`))).toMatchObject({
      code: 'unauthenticated',
      facts: { reason: 'expired' },
    });
  });

  test('the last use is noted once a minute, however often the key is used', async () => {
    const { clear, apiKey } = await newKey(acme.id);
    const first = fixture.clock.now();
    await Promise.all(Array.from({ length: 5 }, () => apiKeys.find(clear)));
    expect((await rowOf(acme.id, apiKey.id)).lastUsedAt?.getTime()).toBe(first);
    fixture.clock.advance(59_999);
    await apiKeys.find(clear);
    expect((await rowOf(acme.id, apiKey.id)).lastUsedAt?.getTime()).toBe(first);
    fixture.clock.advance(1);
    await apiKeys.find(clear);
    expect((await rowOf(acme.id, apiKey.id)).lastUsedAt?.getTime()).toBe(first + 60_000);
  });

  test("a tenant neither lists nor revokes another tenant's keys", async () => {
    const { clear, apiKey } = await newKey(acme.id);
    expect((await apiKeys.list(bolt.id)).map(({ id }) => id)).not.toContain(apiKey.id);
    expect(await codeOf(apiKeys.revoke(bolt.id, apiKey.id))).toBe('not_found');
    expect((await apiKeys.find(clear)).ok).toBe(true);
  });

  test('a key of another form is not taken from an operator', async () => {
    const wanted = { name: 'demo', scopes: ['runs'] as const, expiresAt: null };
    expect(await codeOf(apiKeys.register(acme.id, 'secret', wanted))).toBe('invalid_request');
  });
});

describe('session tokens', () => {
  test('a token proves its end user and sees no other', async () => {
    const { token } = await sessionTokens.mint(acme.id, {
      endUserId: ADA,
      ttlSeconds: 900,
      agent: 'poster-studio',
    });
    expect(await authenticator.authenticate(`bearer ${token}`)).toEqual({
      tenantId: acme.id,
      viewer: { endUserId: ADA },
      kind: 'session',
      id: expect.stringMatching(/^jti-/),
      scopes: ['runs'],
      agents: ['poster-studio'],
      expiresAt: fixture.clock.now() + 900_000,
    });
  });

  test('an expired token says so, so that the page asks for a new one', async () => {
    const { token } = await sessionTokens.mint(acme.id, { endUserId: ADA, ttlSeconds: 30 });
    fixture.clock.advance(30_000);
    expect(await codeOf(authenticator.authenticate(`Bearer ${token}`))).toBe('token_expired');
  });

  test('a token starts runs of its agent only, makes no tokens and administers nothing', async () => {
    const { token } = await sessionTokens.mint(acme.id, {
      endUserId: ADA,
      ttlSeconds: 30,
      agent: 'poster-studio',
    });
    const principal = await authenticator.authenticate(`Bearer ${token}`);
    requireScope(principal, 'runs');
    requireAgent(principal, 'poster-studio');
    expect(() => requireAgent(principal, 'other')).toThrow('for these agents only: "poster-studio"');
    expect(() => requireScope(principal, 'admin')).toThrow('needs the scope "admin"');
    expect(() => requireApiKey(principal)).toThrow('needs an API key');
  });
});

test.each([undefined, '', 'Basic YTpi', 'Bearer', 'Bearer  ', 'Bearer a b', 'Bearer plk_x', 'Bearer x.y.z'])(
  'the header %j is refused',
  async (header) => {
    expect(await codeOf(authenticator.authenticate(header))).toBe('unauthenticated');
  },
);
