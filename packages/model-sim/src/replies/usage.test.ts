import { expect, test } from 'vitest';
import { countPlainly, usageOf } from './usage.js';

test('prompt and completion add up, and nothing is cached', () => {
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'abcd' }] };
  const usage = usageOf(countPlainly(request), { text: 'abcdefgh', reasoning: 'abcd', toolCalls: [] });
  expect(usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 3, total_tokens: 11 });
  expect(usage.prompt_tokens_details.cached_tokens).toBe(0);
});

test('an image counts as its fixed price, not as its bytes', () => {
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const content = [{ type: 'image_url' as const, image_url: { url } }];
  expect(countPlainly({ model: 'm', messages: [{ role: 'user', content }] }).tokens).toBe(772);
});
