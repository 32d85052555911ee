import { describe, expect, test } from 'vitest';
import { textWidth } from './text-width.js';
import { balanceLines, wrapText } from './wrap-text.js';

const TEXTS = [
  'Grand Opening of the Neighbourhood Library & Reading Garden',
  '夏日音乐节暨城市公园露天电影放映周末特别活动',
  '秋茶 Autumn Tea 促销，十月九日开始！',
  'Donaudampfschifffahrtsgesellschaft',
];

describe('wrapping', () => {
  test.each(TEXTS)('no line of %j is wider than allowed, and nothing is lost', (text) => {
    for (const maxEms of [3, 6, 12, 40]) {
      const { lines } = wrapText(text, maxEms);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(maxEms);
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }
  });

  test('Latin text breaks at spaces only', () => {
    expect(wrapText('Autumn Tea Sale', 5)).toEqual({ lines: ['Autumn', 'Tea Sale'], brokenWord: false });
  });

  test('Chinese text breaks between words, not inside them', () => {
    expect(wrapText('秋季茶叶促销', 5).lines).toEqual(['秋季茶叶', '促销']);
  });

  test('closing punctuation never begins a line', () => {
    for (let maxEms = 3; maxEms < 10; maxEms += 1) {
      for (const line of wrapText('用心生长，来自武夷山的新茶。', maxEms).lines)
        expect(line).not.toMatch(/^[，。]/);
    }
  });

  test('a word wider than a line is broken, and said to be', () => {
    const { lines, brokenWord } = wrapText('Donaudampfschifffahrt', 4);
    expect(brokenWord).toBe(true);
    expect(lines.length).toBeGreaterThan(2);
  });

  test('an empty text has no lines', () => {
    expect(wrapText('  ', 5).lines).toEqual([]);
  });
});

test('balancing keeps the number of lines and evens them out', () => {
  const text = 'one two three four five six seven';
  const plain = wrapText(text, 12).lines;
  const { lines } = balanceLines(text, 12);
  expect(lines).toHaveLength(plain.length);
  const spread = (of: string[]) =>
    Math.max(...of.map((line) => line.length)) - Math.min(...of.map((line) => line.length));
  expect(spread(lines)).toBeLessThanOrEqual(spread(plain));
});
