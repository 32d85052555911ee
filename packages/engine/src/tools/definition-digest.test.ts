import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, digestOf } from './definition-digest.js';

describe('the digest of a definition', () => {
  test('keys are sorted at every depth, and members without a value left out', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined, a: null }], a: 'x' })).toBe(
      '{"a":"x","b":[{"a":null,"d":1}]}',
    );
  });

  test('it does not depend on the order of keys, and says the same as the value itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(digestOf(reversed(value))).toBe(digestOf(value));
      }),
    );
  });

  test('the order of lists is a difference', () => {
    expect(digestOf({ tools: ['a', 'b'] })).not.toBe(digestOf({ tools: ['b', 'a'] }));
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, reversed(member)])
      .reverse(),
  );
}
