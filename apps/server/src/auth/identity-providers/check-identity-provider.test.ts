import { describe, expect, test } from 'vitest';
import { checkIdentityProvider, keyAddressProblem } from './check-identity-provider.js';

const plain = { issuer: 'https://idp.example', audience: 'plinth' };
const pathsOf = (raw: object, key = 'login') => {
  const checked = checkIdentityProvider(key, raw);
  return checked.ok ? [] : checked.fields.map(({ path }) => path).sort();
};

describe('an identity provider', () => {
  test('needs an issuer and an audience; all else has a default', () => {
    expect(checkIdentityProvider('login', plain)).toMatchObject({
      ok: true,
      definition: {
        endUser: { claim: 'sub', prefix: 'login:' },
        agents: 'any',
        scopes: { runs: true, debug: false },
        clockToleranceSeconds: 30,
        maxAgeSeconds: 86_400,
      },
    });
  });

  test.each(['none', 'HS256', 'HS512', 'rs256'])('is never set up for %s', (algorithm) => {
    expect(pathsOf({ ...plain, algorithms: ['RS256', algorithm] })).toEqual(['algorithms.1']);
  });

  test('grants nothing that a session token may not', () => {
    expect(pathsOf({ ...plain, scopes: { admin: true } })).toEqual(['scopes']);
    expect(pathsOf({ ...plain, maxAgeSeconds: 86_401 })).toEqual(['maxAgeSeconds']);
    expect(pathsOf({ ...plain, clockToleranceSeconds: 121 })).toEqual(['clockToleranceSeconds']);
  });

  test('names every field that is wrong', () => {
    const raw = { issuer: 'idp.example', audience: 'a b', endUser: { prefix: 'a\n' }, extra: 1 };
    expect(pathsOf(raw, 'Not a key')).toEqual(['', 'audience', 'endUser.prefix', 'key']);
    expect(pathsOf({ ...plain, issuer: 'http://idp.example', jwksUrl: 'ftp://a' })).toEqual([
      'issuer',
      'jwksUrl',
    ]);
    expect(pathsOf({ ...plain, issuer: 'https://idp.example?tenant=1' })).toEqual(['issuer']);
  });
});

describe('an address of keys', () => {
  test.each([
    'https://idp.example/keys',
    'http://127.0.0.1:8080/keys',
    'http://[::1]/keys',
    'http://10.1.2.3/keys',
    'http://keycloak:8080/realms/a',
    'http://auth.internal/keys',
    'http://login.svc.cluster.local/keys',
  ])('%s will do', (address) => expect(keyAddressProblem(address)).toBeNull());

  test.each([
    'http://idp.example/keys',
    'http://8.8.8.8/keys',
    'http://internal.example/keys',
    'https://ada:secret@idp.example/keys',
    'https://idp.example/keys#a',
    'file:///etc/passwd',
    'idp.example',
  ])('%s will not', (address) => expect(keyAddressProblem(address)).not.toBeNull());
});
