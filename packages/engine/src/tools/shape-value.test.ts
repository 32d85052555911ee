import type { JsonValue } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../context/count-tokens.js';
import { shapeValue } from './shape-value.js';

const POLICY = { maxTokens: 2000, sampleArraysOver: 20 };
const json = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>;

describe('what the model reads of a result', () => {
  it('what fits is read whole, byte for byte', () => {
    const value = { b: 'x'.repeat(1000), '1': [1, 2], a: { deep: [{ deeper: null }] } };
    expect(shapeValue(value, POLICY)).toEqual({ value, cut: false });
    expect(JSON.stringify(shapeValue(value, POLICY).value)).toBe(JSON.stringify(value));
  });

  it('of a longer list the first items are read, and how many there are', () => {
    const value = { orders: Array.from({ length: 1234 }, (_, id) => ({ id })) };
    const { value: shown, cut } = shapeValue(value, POLICY);
    expect(cut).toBe(true);
    expect(shown).toEqual({ orders: [...value.orders.slice(0, 20), '… (20 of 1234 items shown)'] });
  });

  it('a long text is cut, with its length, and never in the middle of a character', () => {
    const text = '😀'.repeat(20_000);
    const { value, cut } = shapeValue({ text }, { ...POLICY, maxTokens: 500 });
    expect(cut).toBe(true);
    const shown = (value as { text: string }).text;
    expect(shown).toMatch(/^(😀)+… \(\d+ of 40000 characters shown\)$/u);
    expect(Buffer.from(shown).toString()).toBe(shown);
  });

  it('whatever its form, what is read has no more tokens than allowed', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`member ${n}`, { text: 'a word '.repeat(50) }]),
    );
    const nested = Array.from({ length: 12 }).reduce<JsonValue>(
      (inner) => ({ a: inner, b: inner, c: 'text '.repeat(40) }),
      'end',
    );
    const longNames = { ['name'.repeat(5_000)]: 1, ['other'.repeat(5_000)]: 2 };
    for (const value of [
      many,
      nested,
      longNames,
      '中'.repeat(60_000),
      Array(30).fill('word '.repeat(3_000)),
    ]) {
      const { value: shown } = shapeValue(value as JsonValue, { maxTokens: 100, sampleArraysOver: 20 });
      expect(countTokens(JSON.stringify(shown))).toBeLessThanOrEqual(100);
    }
  });

  it('any value fits, says whether it was cut, and gives the same bytes again', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 100, max: 400 }), (value, maxTokens) => {
        const policy = { maxTokens, sampleArraysOver: 3 };
        const first = shapeValue(value, policy);
        expect(countTokens(JSON.stringify(first.value))).toBeLessThanOrEqual(maxTokens);
        expect(first.cut).toBe(JSON.stringify(first.value) !== JSON.stringify(value));
        expect(JSON.stringify(shapeValue(structuredClone(value), policy))).toBe(JSON.stringify(first));
      }),
    );
  });

  it('a member named __proto__ is a member like any other', () => {
    const value = JSON.parse('{"__proto__":{"x":1},"a":[1,2]}') as JsonValue;
    expect(JSON.stringify(shapeValue(value, { maxTokens: 100, sampleArraysOver: 1 }).value)).toBe(
      '{"__proto__":{"x":1},"a":[1,"… (1 of 2 items shown)"]}',
    );
  });
});
