import type { EndUserId, TenantId } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { DerivedKeys } from './derived-keys.js';
import { SessionTokens } from './session-tokens.js';

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const ada = 'ada@example.org' as EndUserId;
const keys = new DerivedKeys('kV3n8Qz1rT6yWb0mXc5uLd9pHs2fGj7e');

function setUp() {
  const clock = new ManualClock(Date.UTC(2026, 10, 29, 12));
  let count = 0;
  const tokens = new SessionTokens(keys, clock, () => `jti-${++count}`);
  return { clock, tokens };
}

/** A token signed like ours, but for what the test changes. */
async function forged(
  change: { key?: Uint8Array; issuer?: string; audience?: string; alg?: string; claims?: object },
  clock: ManualClock,
) {
  const now = Math.floor(clock.now() / 1000);
  return new SignJWT({ tenant: acme, sub: ada, jti: 'x', iat: now, exp: now + 900, ...change.claims })
    .setProtectedHeader({ alg: change.alg ?? 'HS256' })
    .setIssuer(change.issuer ?? 'plinth')
    .setAudience(change.audience ?? 'plinth:session')
    .sign(change.key ?? keys.key(acme, 'session'));
}

describe('session tokens', () => {
  test('a token proves its tenant, end user and agent until it expires', async () => {
    const { clock, tokens } = setUp();
    const { token, expiresAt } = await tokens.mint(acme, {
      endUserId: ada,
      ttlSeconds: 900,
      agent: 'poster-studio',
    });
    expect(expiresAt).toBe('2026-11-29T12:15:00.000Z');
    expect(await tokens.verify(token)).toEqual({
      ok: true,
      session: {
        id: 'jti-1',
        tenantId: acme,
        endUserId: ada,
        agent: 'poster-studio',
        debug: false,
        expiresAt: clock.now() + 900_000,
      },
    });
  });

  test('a token without an agent is bound to none', async () => {
    const { tokens } = setUp();
    const { token } = await tokens.mint(acme, { endUserId: ada, ttlSeconds: 900 });
    expect(await tokens.verify(token)).toMatchObject({ ok: true, session: { agent: undefined } });
  });

  test('a token is expired from its last second on, by the injected clock', async () => {
    const { clock, tokens } = setUp();
    const { token } = await tokens.mint(acme, { endUserId: ada, ttlSeconds: 30 });
    clock.advance(29_999);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.advance(1);
    expect(await tokens.verify(token)).toEqual({ ok: false, reason: 'expired' });
  });

  test("a token of one tenant cannot be turned into another's", async () => {
    const { clock, tokens } = setUp();
    const swapped = await forged({ claims: { tenant: bolt } }, clock);
    expect(decodeJwt(swapped).tenant).toBe(bolt);
    expect(await tokens.verify(swapped)).toEqual({ ok: false, reason: 'invalid' });
  });

  test('a forged token that is also old is invalid, not expired', async () => {
    const { clock, tokens } = setUp();
    const token = await forged({ key: keys.key(bolt, 'session'), claims: { exp: 1 } }, clock);
    expect(await tokens.verify(token)).toEqual({ ok: false, reason: 'invalid' });
  });

  test('issuer, audience, algorithm and purpose are pinned', async () => {
    const { clock, tokens } = setUp();
    expect(await tokens.verify(await forged({}, clock))).toMatchObject({ ok: true });
    const long = new Uint8Array(64).fill(7);
    for (const change of [
      { issuer: 'somebody' },
      { audience: 'plinth:other' },
      { key: keys.key(acme, 'callback') },
      { alg: 'HS512', key: long },
      { claims: { sub: undefined } },
      { claims: { exp: undefined } },
      { claims: { jti: undefined } },
    ]) {
      expect(await tokens.verify(await forged(change, clock))).toEqual({ ok: false, reason: 'invalid' });
    }
  });

  test('a claimed tenant that cannot be one is invalid', async () => {
    const { clock, tokens } = setUp();
    for (const tenant of ['', 'x'.repeat(5000), 'ten\nacme', 7]) {
      expect(await tokens.verify(await forged({ claims: { tenant } }, clock))).toEqual({
        ok: false,
        reason: 'invalid',
      });
    }
  });

  test('an unsigned token and plain rubbish are invalid', async () => {
    const { tokens } = setUp();
    const unsigned = new UnsecuredJWT({ tenant: acme, sub: ada, jti: 'x', iat: 1, exp: 9_999_999_999 })
      .setIssuer('plinth')
      .setAudience('plinth:session')
      .encode();
    for (const token of [unsigned, '', 'a.b.c', 'eyJhbGciOiJIUzI1NiJ9..']) {
      expect(await tokens.verify(token)).toEqual({ ok: false, reason: 'invalid' });
    }
  });
});

test('a token says what it was minted for: debug is not in one that does not ask for it', async () => {
  const { tokens } = setUp();
  const wanted = { endUserId: ada, ttlSeconds: 60 };
  const debugging = await tokens.mint(acme, { ...wanted, scopes: ['debug'] });
  expect(await tokens.verify(debugging.token)).toMatchObject({ ok: true, session: { debug: true } });
  const plain = await tokens.mint(acme, { ...wanted, scopes: [] });
  expect(await tokens.verify(plain.token)).toMatchObject({ ok: true, session: { debug: false } });
  expect(decodeJwt(plain.token)).not.toHaveProperty('scopes');
});
