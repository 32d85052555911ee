import { describe, expect, test } from 'vitest';
import { generateApiKey, hashApiKey, matchesApiKeyHash, parseApiKey } from './api-key.js';

describe('API keys', () => {
  test('a new key has the documented form, and its prefix is read back from it', () => {
    const key = generateApiKey();
    expect(key.clear).toMatch(/^plk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}$/);
    expect(parseApiKey(key.clear)).toEqual(key);
  });

  test('no two keys are the same', () => {
    const keys = new Set(Array.from({ length: 200 }, () => generateApiKey().clear));
    expect(keys.size).toBe(200);
  });

  test('a key that an operator brings along may have another prefix and a longer secret', () => {
    expect(parseApiKey(`plk_demo_${'a-_b'.repeat(10)}`)?.prefix).toBe('demo');
  });

  test.each([
    '',
    'plk_',
    'plk_demo_short',
    `sk_demo_${'a'.repeat(40)}`,
    `plk_de_${'a'.repeat(40)}`,
    ` plk_demo_${'a'.repeat(40)}`,
  ])('%j is no key', (text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  test('the stored hash does not hold the key, and matches this key alone', () => {
    const { clear } = generateApiKey();
    const hash = hashApiKey(clear);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(matchesApiKeyHash(clear, hash)).toBe(true);
    expect(matchesApiKeyHash(generateApiKey().clear, hash)).toBe(false);
    expect(matchesApiKeyHash(clear, 'not a hash')).toBe(false);
  });
});
