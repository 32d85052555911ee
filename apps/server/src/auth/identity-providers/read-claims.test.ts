import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimAt, holds, textsOf } from './read-claims.js';

const claims = {
  scope: 'openid plinth:use',
  roles: ['staff', 'plinth debug'],
  email_verified: true,
  realm_access: { roles: ['admin'] },
  'https://acme.example/role': 'painter',
};

test('a claim is found by its name, dots and slashes included, or by the path to it', () => {
  expect(claimAt(claims, 'https://acme.example/role')).toBe('painter');
  expect(claimAt(claims, ['realm_access', 'roles'])).toEqual(['admin']);
  expect(claimAt(claims, 'realm_access.roles')).toBeUndefined();
  expect(claimAt(claims, ['scope', 'length'])).toBeUndefined();
});

test('what every object has by birth is no claim', () => {
  for (const path of ['constructor', '__proto__', ['realm_access', 'constructor', 'name']])
    expect(claimAt(claims, path)).toBeUndefined();
});

test.each([
  ['scope', 'plinth:use', true],
  ['scope', 'plinth', false],
  ['scope', 'openid plinth:use', true],
  ['roles', 'staff', true],
  ['roles', 'plinth debug', true],
  ['roles', 'debug', false],
  ['email_verified', true, true],
  ['email_verified', 'true', false],
  [['realm_access', 'roles'], 'admin', true],
  ['absent', 'x', false],
])('the claim %j holds %j: %j', (claim, value, expected) => {
  expect(holds(claims, { claim, value })).toBe(expected);
});

test('texts are read from lists and from texts between blanks, and nothing else is one', () => {
  expect(textsOf(['a b', 7, 'c'])).toEqual(['a b', 'c']);
  expect(textsOf(' a  b ')).toEqual(['a', 'b']);
  expect(textsOf({ a: 1 })).toEqual([]);
});

test('a condition never holds by a part of a word, whatever the claim', () => {
  const word = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !text.includes(' '));
  fc.assert(
    fc.property(fc.array(word), word, (words, value) => {
      expect(holds({ scope: words.join(' ') }, { claim: 'scope', value })).toBe(words.includes(value));
    }),
  );
});
