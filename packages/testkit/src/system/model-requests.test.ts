import { expect, test } from 'vitest';
import { picturesIn, prefixShare, textIn } from './model-requests.js';

const said = (...texts: string[]) => ({ messages: texts.map((content) => ({ role: 'user', content })) });
const shown = (base64: string) => ({
  role: 'user',
  content: [
    { type: 'text', text: 'look' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
  ],
});

test('the share of a prompt that the next one begins with', () => {
  expect(prefixShare(said('a', 'b'), said('a', 'b', 'c'))).toBe(1);
  expect(prefixShare(said('a', 'b'.repeat(1000)), said('a', 'c'.repeat(1000)))).toBeLessThan(0.1);
  expect(prefixShare({ ...said('a'.repeat(100)), tools: [1] }, said('a'.repeat(100)))).toBeLessThan(0.1);
});

test('the pictures of a request, and what is said beside them', () => {
  const message = shown(Buffer.from('picture').toString('base64'));
  const [picture, ...others] = picturesIn({ messages: [{ role: 'user', content: 'x' }, message] });
  expect(picture).toMatchObject({ messageIndex: 1, mimeType: 'image/png', bytes: Buffer.from('picture') });
  expect(others).toEqual([]);
  expect(textIn(message)).toBe('look\n');
});
