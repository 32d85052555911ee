import { expect, test } from 'vitest';
import { estimateTokens, usageOf } from './estimate-tokens.js';

test('four latin characters are a token, and so is one CJK character', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('abcd')).toBe(1);
  expect(estimateTokens('abcde')).toBe(2);
  expect(estimateTokens('秋茶促销')).toBe(4);
  expect(estimateTokens('秋茶 sale')).toBe(4);
});

test('prompt and completion add up, and nothing is cached', () => {
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'abcd' }] };
  const usage = usageOf(request, { text: 'abcdefgh', reasoning: 'abcd', toolCalls: [] });
  expect(usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 });
  expect(usage.prompt_tokens_details.cached_tokens).toBe(0);
});

test('an image counts as its fixed price, not as its bytes', () => {
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const content = [{ type: 'image_url' as const, image_url: { url } }];
  const usage = usageOf(
    { model: 'm', messages: [{ role: 'user', content }] },
    { text: '', reasoning: '', toolCalls: [] },
  );
  expect(usage.prompt_tokens).toBe(772);
});
