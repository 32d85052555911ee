import { expect, test } from 'vitest';
import { splitText } from './split-text.js';

const TEXTS = [
  '',
  'Hello, world.',
  '秋季茶叶促销，十月九日。',
  'a  b\n\n- **x**',
  '🎉👩‍👩‍👧 party 𠮷野家',
  'extraordinarily',
];

test.each(TEXTS)('the pieces of %j give the text back', (text) => {
  expect(splitText(text).join('')).toBe(text);
});

test('pieces are small and never half a character', () => {
  for (const piece of TEXTS.flatMap(splitText)) {
    expect([...piece].length).toBeLessThan(10);
    expect(piece).not.toMatch(/\p{Surrogate}/u);
  }
});
