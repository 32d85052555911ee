import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.js';

describe('the pause before a new attempt', () => {
  it('doubles from 250 ms to 10 s', () => {
    const pauses = [0, 1, 2, 5, 6, 1000].map((attempt) => backoffMs(attempt, 250, 1));
    expect(pauses).toEqual([250, 500, 1000, 8000, 10_000, 10_000]);
  });

  it('is spread over its upper half', () => {
    expect([0, 0.5, 1].map((random) => backoffMs(2, 250, random))).toEqual([500, 750, 1000]);
  });
});
