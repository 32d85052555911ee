import { describe, expect, test } from 'vitest';
import { dataUrl, png } from '../images/sample-images.test-support.js';
import { startPersona } from '../personas/personas.test-support.js';

const instructions = { role: 'system', content: 'rule'.repeat(2000) };
const user = (content: unknown) => ({ role: 'user', content });

describe('the prompt cache', () => {
  async function conversation(persona: 'openai' | 'anthropic' = 'openai') {
    const { ask } = await startPersona({ persona });
    return async (messages: object[], more: object = {}): Promise<number> => {
      const { text } = await ask({ messages, ...more });
      return JSON.parse(text).usage.prompt_tokens_details.cached_tokens;
    };
  }

  test('hits what an earlier prompt of the same key began with, in steps of 128 tokens', async () => {
    const cached = await conversation();
    expect(await cached([instructions, user('one')])).toBe(0);
    const hit = await cached([instructions, user('two')]);
    expect(hit).toBe(2004 - (2004 % 128));
    expect(await cached([instructions, user('one'), { role: 'assistant', content: 'a' }, user('more')])).toBe(
      hit,
    );
    expect(await cached([instructions, user('one')], { prompt_cache_key: 'other' })).toBe(0);
    expect(await cached([instructions, user('one')], { model: 'other' })).toBe(0);
  });

  test('does not hit when the beginning differs, or is shorter than 1024 tokens', async () => {
    const cached = await conversation();
    await cached([user('word'.repeat(1000))]);
    expect(await cached([user('word'.repeat(1000))])).toBe(0);
    await cached([instructions, user('one')]);
    expect(await cached([user('first'), instructions])).toBe(0);
    const tools = [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }];
    expect(await cached([instructions, user('one')], { tools })).toBe(0);
  });

  test('takes an image whole or not at all', async () => {
    const cached = await conversation();
    const shown = (side: number, text: string) =>
      user([
        { type: 'image_url', image_url: { url: dataUrl(png(side, 1024)) } },
        { type: 'text', text },
      ]);
    const before = 2004 + 4;
    await cached([instructions, shown(1024, 'one')]);
    expect(await cached([instructions, shown(1024, 'two')])).toBe(2688);
    expect(before + 765 - ((before + 765) % 128)).toBe(2688);
    expect(await cached([instructions, shown(1023, 'one')])).toBe(before - (before % 128));
  });

  test('reports nothing where a request must say what to cache', async () => {
    const cached = await conversation('anthropic');
    await cached([instructions]);
    expect(await cached([instructions])).toBe(0);
  });
});
