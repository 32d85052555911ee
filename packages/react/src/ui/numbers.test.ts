import { describe, expect, test } from 'vitest';
import { amountsIn } from './amounts.js';
import { formatMoment } from './moments.js';
import { UI_STRINGS } from './ui-context.js';

describe('numbers and days are written in the reader’s language', () => {
  test.each([
    ['en', '1,234,567', '1.23 MB', '45%'],
    ['de', '1.234.567', '1,23 MB', '45 %'],
    ['zh', '1,234,567', '1.23 MB', '45%'],
    ['fr', '1 234 567', '1,23 Mo', '45 %'],
  ])('%s', (locale, number, bytes, share) => {
    const amounts = amountsIn(locale);
    // Which of the narrow spaces stands between is left to the browser.
    const written = [amounts.number(1_234_567), amounts.bytes(1_234_567), amounts.wholeShare(0.4499)];
    expect(written.map((text) => text.replace(/\s/g, ' '))).toEqual([number, bytes, share]);
  });

  test('few bytes are counted as things are', () => {
    const { bytes } = amountsIn('en');
    expect([0, 1, 734].map(bytes)).toEqual(['0 bytes', '1 byte', '734 bytes']);
    expect(amountsIn('zh').bytes(734)).toBe('734字节');
  });

  test('the texts write theirs', () => {
    const { en, zh } = UI_STRINGS;
    expect(en.tableRows(100_000, 100_000)).toBe('100,000 rows');
    expect(en.tableRows(1, 1)).toBe('1 row');
    expect(zh.tableRows(2, 100_000)).toBe('100,000 行中的 2 行');
    expect(en.fieldTooLong(10_000)).toBe('Use at most 10,000 characters.');
    expect(zh.fieldTooLarge(0.5)).toBe('不能大于 0.5。');
  });

  test('a day of another year has its year, and today has its time', () => {
    const now = new Date(2026, 5, 15, 12, 0);
    const at = (...parts: [number, number, number]) => new Date(...parts, 9, 5).toISOString();
    expect(formatMoment(at(2026, 5, 15), 'en', now)).toBe('09:05');
    expect(formatMoment(at(2026, 4, 1), 'en', now)).toBe('1 May');
    expect(formatMoment(at(2025, 4, 1), 'en', now)).toBe('1 May 2025');
    expect(formatMoment(at(2025, 4, 1), 'zh', now)).toBe('2025年5月1日');
  });
});
