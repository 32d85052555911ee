import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.js';

test('four latin characters are a token, and so is one CJK character', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('abcd')).toBe(1);
  expect(estimateTokens('abcde')).toBe(2);
  expect(estimateTokens('秋茶促销')).toBe(4);
  expect(estimateTokens('秋茶 sale')).toBe(4);
});
