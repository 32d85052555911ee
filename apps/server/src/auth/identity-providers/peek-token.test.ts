import fc from 'fast-check';
import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { isForeignToken, peekToken } from './peek-token.js';

const tokenOf = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();
const iss = 'https://idp.example';

test('a token says its issuer, audiences and algorithm', () => {
  expect(peekToken(tokenOf({ iss, aud: ['a', 'b'], client_id: 'c' }))).toEqual({
    issuer: iss,
    audiences: ['a', 'b'],
    hasAudience: true,
    algorithm: 'none',
  });
});

test('a token without aud is found by its client; one with aud never', () => {
  expect(peekToken(tokenOf({ iss, client_id: 'c' }))).toMatchObject({ audiences: ['c'], hasAudience: false });
  expect(peekToken(tokenOf({ iss, aud: 'a', client_id: 'c' }))).toMatchObject({ audiences: ['a'] });
  expect(peekToken(tokenOf({ iss, aud: [], client_id: 'c' }))).toBeNull();
});

test.each([
  { iss, aud: 7 },
  { iss, aud: ['a', 7] },
  { iss },
  { aud: 'a' },
  { iss: 7, aud: 'a' },
  { iss, aud: 'a'.repeat(301) },
  { iss: `${iss}/\0`, aud: 'a' },
  { iss, aud: Array.from({ length: 21 }, (_, index) => `a${index}`) },
  { iss, aud: 'a', groups: 'x'.repeat(8192) },
])('claims that no provider writes, or too many of them, are malformed: %#', (claims) => {
  expect(peekToken(tokenOf(claims))).toBeNull();
});

test('whatever is sent: nothing throws, and only what names an address as issuer is foreign', () => {
  const part = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const token = parts.join('.');
      const peeked = peekToken(token);
      if (peeked !== null) expect(peeked.audiences.length).toBeGreaterThan(0);
      expect(typeof isForeignToken(token)).toBe('boolean');
    }),
  );
  expect(isForeignToken(tokenOf({ iss: 'plinth' }))).toBe(false);
  expect(isForeignToken(tokenOf({ iss }))).toBe(true);
});
