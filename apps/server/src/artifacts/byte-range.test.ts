import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readByteRange } from './byte-range.js';

const FILE = { sizeBytes: 100, etag: '"ab"' };
const read = (range: string | undefined, ifRange?: string) => readByteRange({ range, ifRange }, FILE);

it.each([
  ['bytes=0-', { kind: 'part', start: 0, end: 99 }],
  ['bytes=10-19', { kind: 'part', start: 10, end: 19 }],
  ['bytes=90-1000', { kind: 'part', start: 90, end: 99 }],
  ['bytes=-10', { kind: 'part', start: 90, end: 99 }],
  ['bytes=-1000', { kind: 'part', start: 0, end: 99 }],
  ['bytes=100-', { kind: 'outside' }],
  ['bytes=-0', { kind: 'outside' }],
  ['bytes=20-10', { kind: 'whole' }],
  ['bytes=0-1,5-6', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  ['pages=1-2', { kind: 'whole' }],
  [undefined, { kind: 'whole' }],
])('%s', (range, expected) => {
  expect(read(range)).toEqual(expected);
});

it('a part of another version is answered with the whole', () => {
  expect(read('bytes=10-19', '"ab"').kind).toBe('part');
  expect(read('bytes=10-19', '"cd"').kind).toBe('whole');
});

it('a part never leaves the file, whatever is asked', () => {
  const header = fc
    .tuple(fc.option(fc.nat()), fc.option(fc.nat()))
    .map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`);
  fc.assert(
    fc.property(header, fc.nat(1000), (range, sizeBytes) => {
      const part = readByteRange({ range, ifRange: undefined }, { ...FILE, sizeBytes });
      if (part.kind !== 'part') return;
      expect(part.start).toBeGreaterThanOrEqual(0);
      expect(part.end).toBeGreaterThanOrEqual(part.start);
      expect(part.end).toBeLessThan(sizeBytes);
    }),
  );
});
