import { expect, it } from 'vitest';
import { FAULTS } from './faults/fault-kinds.mjs';
import { HELP, readOptions } from './options.mjs';

it('without options it plays 300 runs, with all faults and a seed of its own', () => {
  expect(readOptions([])).toMatchObject({ runs: 300, minutes: 10, faults: null, once: false, help: false });
  expect(readOptions([]).seed).toMatch(/^\d+$/);
});

it('takes faults by name, each so often as it is named', () => {
  const { faults } = readOptions(['--faults', 'kill-worker, kill-api,kill-worker']);
  expect(faults).toEqual(['kill-worker', 'kill-api', 'kill-worker']);
});

it.each([
  [['--faults', 'kill-worker,kill-wroker'], /no fault "kill-wroker".*kill-worker/s],
  [['--faults', ''], /no fault ""/],
  [['--runs', '0'], /--runs takes a number above 0, not "0"/],
  [['--runs', '2.5'], /--runs takes a whole number/],
  [['--concurrency', 'many'], /--concurrency takes a number above 0, not "many"/],
  [['--every', '-5'], /--every/],
  [['--bogus'], /--bogus.*--help/s],
])('%j is refused before anything starts, and it is told why', (args, why) => {
  expect(() => readOptions(args)).toThrow(expect.objectContaining({ name: 'SetupProblem' }));
  expect(() => readOptions(args)).toThrow(why);
});

it('the help names every fault', () => {
  for (const name of Object.keys(FAULTS)) expect(HELP).toContain(name);
});
