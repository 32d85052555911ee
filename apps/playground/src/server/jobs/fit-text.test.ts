import { expect, test } from 'vitest';
import { fitText } from './fit-text.js';
import { textWidth } from './text-width.js';

const box = { width: 600, height: 300, maxSize: 150, minSize: 30, lineHeight: 1.1, bold: true };

test.each([
  'Tea',
  'Autumn Tea Sale',
  '秋季茶叶促销',
  'word '.repeat(60),
  '超长标题'.repeat(50),
  'x'.repeat(200),
])('%j stays inside its box', (text) => {
  const { lines, size, height } = fitText(text, box);
  expect(height).toBeLessThanOrEqual(box.height);
  for (const line of lines) expect(textWidth(line, true) * size).toBeLessThanOrEqual(box.width);
});

test('a short text is as large as it may be', () => {
  expect(fitText('Tea', box)).toMatchObject({ lines: ['Tea'], size: 150 });
});

test('a long word makes the text smaller before it is broken', () => {
  const { lines, size } = fitText('Neighbourhood', box);
  expect(lines).toEqual(['Neighbourhood']);
  expect(size).toBeLessThan(150);
});

test('what does not fit even at the smallest size ends in an ellipsis', () => {
  expect(fitText('超长标题'.repeat(50), { ...box, height: 70 }).lines.at(-1)).toMatch(/…$/);
});
