import { expect, test } from 'vitest';
import { ratiosOf, summarise } from './report.mjs';

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

test('a peer is compared with the row of the same name, by the median or the value', () => {
  const results = [
    { measurements: [{ name: 'resume', unit: 'ms', p50: 20, mean: 99 }] },
    {
      measurements: [
        { name: 'LangGraph: resume', unit: 'ms', p50: 240, mean: 1 },
        { name: 'LangGraph: bytes', unit: 'bytes', value: 7 },
      ],
    },
    { measurements: [{ name: 'only ours', unit: 'bytes', value: 1 }] },
  ];

  expect(ratiosOf(results)).toEqual([{ name: 'resume', unit: 'ms', peer: 240, plinth: 20, ratio: 12 }]);
});
