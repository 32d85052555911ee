import { expect, test } from 'vitest';
import { readOptions } from './options.mjs';

test('without options every file runs, with its own defaults', () => {
  expect(readOptions([])).toEqual({ only: undefined, options: {} });
});

test('a text names the files, and an option goes to them', () => {
  expect(readOptions(['worker-kills', '--kills', '200'])).toEqual({
    only: 'worker-kills',
    options: { kills: 200 },
  });
});

test.each(['0', '-1', '1.5', 'many', '10001'])('--kills %s is refused, and the bounds are told', (kills) => {
  expect(() => readOptions([`--kills=${kills}`])).toThrow(/whole number from 1 to 10000/);
});

test('an option that there is not is refused by its name', () => {
  expect(() => readOptions(['--runs', '3'])).toThrow(/--runs/);
});
