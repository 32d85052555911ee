import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens, fitsTokens } from './count-tokens.js';

/** Milliseconds for one text, whatever it is. */
const MOST_MS = 50;

/** Milliseconds of processor time, which other work on the machine adds little to, and the best of some tries nothing. */
function workMs(work: () => void): number {
  const tries = Array.from({ length: 4 }, () => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  });
  return Math.min(...tries);
}

describe('C4: texts that stop a tokenizer', () => {
  it('a control token is counted as the text that it is', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
    expect(countTokens('a <|endoftext|> b')).toBe(9);
  });

  it('50,000 times the same letter is counted, in pieces', () => {
    expect(countTokens('x'.repeat(50_000))).toBeGreaterThan(6_000);
    expect(countTokens('x'.repeat(50_000))).toBeLessThan(7_500);
  });

  it('14,000 Chinese characters without a space are counted, in pieces', () => {
    const counted = countTokens('中文字符测试'.repeat(2_334));
    expect(counted).toBeGreaterThanOrEqual(7_002);
    expect(counted).toBeLessThan(7_500);
  });

  it.each([
    ['an unbroken run, up to where all of a text is counted', 'x'.repeat(12_000)],
    ['rare ideographs without a space', '龘靐齉爩'.repeat(3_000)],
    ['a text of ten million characters', 'What about the leaves? '.repeat(450_000)],
  ])('%s is counted in less than 50 ms', (_name, text) => {
    expect(workMs(() => countTokens(text))).toBeLessThan(MOST_MS);
  });

  it('a run of spaces is a run as well', () => {
    expect(countTokens(' '.repeat(50_000))).toBeLessThan(2_000);
  });
});

describe('counting tokens', () => {
  it('prose is counted exactly', () => {
    expect(countTokens('The quick brown fox jumps over the lazy dog. ')).toBe(11);
    expect(countTokens('')).toBe(0);
  });

  it('the estimate of a long text is near what all of it counts', () => {
    const line = (n: number) => `Line ${n}: the order of ${n * 7919} came to the office in Berlin.\n`;
    const lines = Array.from({ length: 4_000 }, (_, n) => line(n));
    const exact = lines.reduce((sum, text) => sum + countTokens(text), 0);
    expect(Math.abs(countTokens(lines.join('')) - exact) / exact).toBeLessThan(0.05);
  });

  it('a piece of a run never ends in the middle of a character', () => {
    expect(countTokens('😀'.repeat(1_000))).toBe(
      countTokens('😀'.repeat(64)) * 15 + countTokens('😀'.repeat(40)),
    );
  });

  it('a text that fits has at most so many tokens, and none has more tokens than bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (text, max) => {
          expect(countTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
          expect(fitsTokens(text, max)).toBe(countTokens(text) <= max);
        },
      ),
    );
  });
});
