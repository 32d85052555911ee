import type { JsonObject, TenantId } from '@plinth/protocol';
import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AccessTokens } from '../src/auth/identity-providers/access-tokens.js';
import { KeyFetcher } from '../src/auth/identity-providers/fetch-keys.js';
import { IdentityProviders } from '../src/auth/identity-providers/identity-providers.js';
import {
  COOL_DOWN_MS,
  FRESH_MS,
  ProviderKeys,
  USABLE_MS,
} from '../src/auth/identity-providers/provider-keys.js';
import { type AddedTenant, codeOf, type DatabaseFixture, openDatabase } from './database-fixture.js';
import { IdentityPeer } from './identity-peer.js';
import { outboundTo } from './outbound-fixture.js';

/** Tokens of a real provider on loopback, checked against a real database, by a clock that the test moves. */
let fixture: DatabaseFixture;
let providers: IdentityProviders;
let acme: AddedTenant;
let bolt: AddedTenant;
let idp: IdentityPeer;
let tokens: AccessTokens;

const tokensOf = (allow: readonly string[] = ['127.0.0.1']) =>
  new AccessTokens(
    providers,
    new ProviderKeys(new KeyFetcher(outboundTo(allow)), fixture.clock),
    fixture.clock,
  );
const setUp = (tenant: TenantId, changes: JsonObject = {}, key = 'login') =>
  providers.put(
    tenant,
    key,
    { issuer: idp.issuer, audience: 'plinth', jwksUrl: idp.jwksUrl, ...changes },
    undefined,
  );
const aToken = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) =>
  idp.token(claims, header, fixture.clock.now());
const seconds = () => Math.floor(fixture.clock.now() / 1000);

/** `ok`, or why not. */
async function verdictOn(token: string | Promise<string>): Promise<string> {
  const verdict = await tokens.verify(await token);
  return verdict.ok ? 'ok' : verdict.reason;
}

beforeAll(async () => {
  fixture = await openDatabase();
  providers = new IdentityProviders(fixture.database, fixture.clock);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  idp = await IdentityPeer.start();
  tokens = tokensOf();
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
});
afterEach(() => idp.close());

describe('an access token', () => {
  test('finds its tenant by issuer and audience, and proves its person until it expires', async () => {
    await setUp(acme.id, { scopes: { debug: { claim: 'roles', value: 'debug' } }, agents: ['painter'] });
    expect(await tokens.verify(await aToken({ jti: 'token-1', roles: ['debug'] }))).toEqual({
      ok: true,
      session: {
        id: 'token-1',
        tenantId: acme.id,
        provider: 'login',
        endUserId: 'login:ada',
        agents: ['painter'],
        debug: true,
        expiresAt: (seconds() + 300 + 30) * 1000,
      },
    });
  });

  test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('is taken when signed by %s', async (alg) => {
    await idp.rotate('another', alg);
    await setUp(acme.id);
    expect(await verdictOn(aToken())).toBe('ok');
  });

  test('is refused when it is signed otherwise than its provider is set up for', async () => {
    await setUp(acme.id, { algorithms: ['RS256'] });
    expect(await verdictOn(aToken())).toBe('wrong_algorithm');
    expect(idp.asked).toEqual([]);
  });

  test('that nothing signs, or a secret that is the public key, is refused', async () => {
    await idp.rotate('key-1', 'RS256');
    await setUp(acme.id);
    const now = seconds();
    const claims = { iss: idp.issuer, aud: 'plinth', sub: 'eve', iat: now, exp: now + 300 };
    expect(await verdictOn(new UnsecuredJWT(claims).encode())).toBe('wrong_algorithm');
    const [jwk] = idp.published;
    const spki = await exportSPKI((await importJWK(jwk ?? {}, 'RS256', { extractable: true })) as never);
    for (const secret of [spki, spki.trim(), JSON.stringify(jwk), jwk?.n ?? '']) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'at+jwt' })
        .sign(new TextEncoder().encode(secret));
      expect(await verdictOn(forged)).toBe('wrong_algorithm');
    }
  });

  test('with a signature that does not hold is told nothing but that, expired or not', async () => {
    await setUp(acme.id);
    const [header, payload] = (await aToken({ exp: 1 })).split('.');
    const [, , signature] = (await aToken()).split('.');
    expect(await verdictOn(`${header}.${payload}.${signature}`)).toBe('bad_signature');
    const stranger = await IdentityPeer.start();
    expect(await verdictOn(stranger.token({ iss: idp.issuer, exp: 1 }))).toBe('bad_signature');
    await stranger.close();
  });

  test('is expired from a second on that its session names, its clock forgiven', async () => {
    await setUp(acme.id, { clockToleranceSeconds: 10 });
    const token = await aToken({ exp: seconds() + 60 });
    const verdict = await tokens.verify(token);
    const expiresAt = verdict.ok ? verdict.session.expiresAt : 0;
    fixture.clock.advance(expiresAt - fixture.clock.now() - 1);
    expect(await verdictOn(token)).toBe('ok');
    fixture.clock.advance(1);
    expect(await verdictOn(token)).toBe('expired');
  });

  test('is expired when it is older than its provider is set up for, whatever its exp', async () => {
    await setUp(acme.id, { maxAgeSeconds: 60, clockToleranceSeconds: 0 });
    const token = await aToken({ exp: seconds() + 86_400 * 365 });
    const verdict = await tokens.verify(token);
    const expiresAt = verdict.ok ? verdict.session.expiresAt : 0;
    expect(expiresAt).toBe((seconds() + 61) * 1000);
    fixture.clock.advance(60_999);
    expect(await verdictOn(token)).toBe('ok');
    fixture.clock.advance(1);
    expect(await verdictOn(token)).toBe('expired');
  });

  test('is not valid before its time', async () => {
    await setUp(acme.id, { clockToleranceSeconds: 10 });
    expect(await verdictOn(aToken({ nbf: seconds() + 10 }))).toBe('ok');
    expect(await verdictOn(aToken({ nbf: seconds() + 11 }))).toBe('not_yet_valid');
    expect(await verdictOn(aToken({ iat: seconds() + 11 }))).toBe('not_yet_valid');
  });

  test.each([
    ['no exp', { exp: undefined }],
    ['no iat', { iat: undefined }],
    ['an exp that is a text', { exp: '9999999999' }],
    ['an nbf that is a text', { nbf: 'now' }],
  ])('with %s is refused', async (_what, claims) => {
    await setUp(acme.id);
    expect(await verdictOn(aToken(claims as never))).toBe('bad_claims');
  });

  test('of another kind is refused by its header, or by what it must say', async () => {
    await setUp(acme.id, { requiredClaims: [{ claim: 'token_use', value: 'access' }] });
    const access = { token_use: 'access' };
    expect(await verdictOn(aToken(access))).toBe('ok');
    for (const typ of ['JWT', 'application/at+jwt', undefined])
      expect(await verdictOn(aToken(access, { typ }))).toBe('ok');
    expect(await verdictOn(aToken(access, { typ: 'logout+jwt' }))).toBe('wrong_type');
    expect(await verdictOn(aToken({ token_use: 'id' }))).toBe('claim_not_met');
  });

  test('without aud is taken by its client, as Cognito writes it; with one never', async () => {
    await setUp(acme.id, { audience: 'client-1' });
    expect(await verdictOn(aToken({ aud: undefined, client_id: 'client-1' }))).toBe('ok');
    expect(await verdictOn(aToken({ client_id: 'client-1' }))).toBe('unknown_provider');
  });

  test("of a foreign issuer or audience is nobody's, and nothing is fetched for it", async () => {
    await setUp(acme.id);
    expect(await verdictOn(aToken({ iss: 'https://elsewhere.example' }))).toBe('unknown_provider');
    expect(await verdictOn(aToken({ iss: `${idp.issuer}/` }))).toBe('unknown_provider');
    expect(await verdictOn(aToken({ aud: 'other' }))).toBe('unknown_provider');
    expect(idp.asked).toEqual([]);
  });
});

describe('tenants', () => {
  test('of one issuer are told apart by the audience, and one cannot have the pair of another', async () => {
    await setUp(acme.id);
    await setUp(bolt.id, { audience: 'bolt' });
    const ofBolt = await tokens.verify(await aToken({ aud: ['bolt', 'https://idp.example/userinfo'] }));
    expect(ofBolt).toMatchObject({ ok: true, session: { tenantId: bolt.id } });
    expect(await codeOf(setUp(bolt.id))).toBe('identity_provider_taken');
    expect(await codeOf(setUp(acme.id, {}, 'again'))).toBe('identity_provider_taken');
    expect(await tokens.verify(await aToken())).toMatchObject({ session: { tenantId: acme.id } });
  });

  test('a token for the audiences of two is refused, for nobody knows whose it is', async () => {
    await setUp(acme.id);
    await setUp(bolt.id, { audience: 'bolt' });
    expect(await verdictOn(aToken({ aud: ['plinth', 'bolt'] }))).toBe('ambiguous_audience');
  });

  test('a token signed by the provider of one does not open another, whatever issuer it names', async () => {
    const other = await IdentityPeer.start();
    await setUp(acme.id);
    await setUp(bolt.id, { issuer: other.issuer, jwksUrl: other.jwksUrl });
    const now = fixture.clock.now();
    expect(await verdictOn(other.token({}, {}, now))).toBe('ok');
    expect(await verdictOn(other.token({ iss: idp.issuer }, {}, now))).toBe('bad_signature');
    await other.close();
  });

  test('a provider that is taken away or changed is so for the very next token', async () => {
    await setUp(acme.id);
    const token = await aToken();
    expect(await verdictOn(token)).toBe('ok');
    await setUp(acme.id, { requiredClaims: [{ claim: 'staff', value: true }] });
    expect(await verdictOn(token)).toBe('claim_not_met');
    await setUp(acme.id, { audience: 'moved' });
    expect(await verdictOn(token)).toBe('unknown_provider');
    await setUp(acme.id);
    expect(await verdictOn(token)).toBe('ok');
    await providers.remove(acme.id, 'login');
    expect(await verdictOn(token)).toBe('unknown_provider');
    expect(idp.keyRequests).toBe(1);
  });
});

describe('keys', () => {
  test('a new key is found by the first token that names it, and the old one goes on while it is published', async () => {
    await setUp(acme.id);
    const old = await aToken();
    expect(await verdictOn(old)).toBe('ok');
    fixture.clock.advance(COOL_DOWN_MS);
    await idp.rotate('key-2', 'ES256', { keeps: true });
    expect(await verdictOn(aToken())).toBe('ok');
    expect(await verdictOn(old)).toBe('ok');
    expect(idp.keyRequests).toBe(2);
  });

  test('a withdrawn key is refused when the keys are not fresh any more', async () => {
    await setUp(acme.id);
    const old = await aToken({ exp: seconds() + 3600 });
    expect(await verdictOn(old)).toBe('ok');
    await idp.rotate('key-2');
    fixture.clock.advance(FRESH_MS);
    expect(await verdictOn(old)).toBe('unknown_key');
  });

  test('two hundred tokens with invented keys are one look, and good tokens go on meanwhile', async () => {
    await setUp(acme.id);
    expect(await verdictOn(aToken())).toBe('ok');
    fixture.clock.advance(COOL_DOWN_MS);
    const good = await aToken();
    const [, payload, signature] = good.split('.');
    const header = (kid: string) => Buffer.from(JSON.stringify({ alg: 'ES256', kid })).toString('base64url');
    const forged = Array.from(
      { length: 200 },
      (_, index) => `${header(`made-up-${index}`)}.${payload}.${signature}`,
    );
    const verdicts = await Promise.all(forged.map(verdictOn));
    expect(new Set(verdicts)).toEqual(new Set(['unknown_key']));
    expect(idp.keyRequests).toBe(2);
    expect(await verdictOn(good)).toBe('ok');
  });

  test('a token without kid is taken when only one key can be meant', async () => {
    await setUp(acme.id);
    expect(await verdictOn(aToken({}, { kid: undefined }))).toBe('ok');
    await idp.rotate('key-2', 'ES256', { keeps: true });
    fixture.clock.advance(FRESH_MS);
    expect(await verdictOn(aToken({}, { kid: undefined }))).toBe('unknown_key');
  });

  test('a provider that is away: known keys go on for an hour, then the failure has a name', async () => {
    await setUp(acme.id, { maxAgeSeconds: 86_400 });
    expect(await verdictOn(aToken())).toBe('ok');
    idp.answer = 'status_500';
    fixture.clock.advance(USABLE_MS - 1);
    expect(await verdictOn(aToken())).toBe('ok');
    fixture.clock.advance(COOL_DOWN_MS);
    expect(await tokens.verify(await aToken())).toEqual({
      ok: false,
      reason: 'keys_unavailable',
      tenantId: acme.id,
      detail: 'answered with status 500 when it was asked for its keys',
    });
    idp.answer = 'keys';
    fixture.clock.advance(COOL_DOWN_MS);
    expect(await verdictOn(aToken())).toBe('ok');
  });

  test('on an address that is not public are not fetched without the leave of the operator', async () => {
    await setUp(acme.id);
    tokens = tokensOf([]);
    expect(await tokens.verify(await aToken())).toMatchObject({
      reason: 'keys_unavailable',
      detail: expect.stringContaining('not on the public internet'),
    });
    expect(idp.asked).toEqual([]);
  });
});
