import { expect, test } from 'vitest';
import { summarise } from './report.mjs';

test('percentiles are taken from the sorted samples', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index);

  expect(summarise({ name: 'turn', unit: 'ms', samples })).toMatchObject({
    n: 100,
    p50: 51,
    p95: 96,
    max: 100,
  });
});

test('a single value is passed on', () => {
  expect(summarise({ name: 'rate', unit: '1/s', value: 7 })).toEqual({ name: 'rate', unit: '1/s', value: 7 });
});
