import { expect, test } from 'vitest';
import { posterSummary } from './poster-language.js';

const pixels = { width: 1400, height: 1980 };

test.each([
  ['Tea Sale', 'Drew "Tea Sale" in the botanical style, 1400 x 1980 pixels.'],
  ['秋茶 Sale', '已画好“秋茶 Sale”：植物风格，1400 × 1980 像素。'],
])('a poster with the headline %s is spoken of in its language', (headline, summary) =>
  expect(posterSummary({ headline, style: 'botanical' }, pixels)).toBe(summary),
);
