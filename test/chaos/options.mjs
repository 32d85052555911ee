/** What the chaos run is told on its command line. */
import { parseArgs } from 'node:util';
import { SetupProblem } from '../../scripts/lib/problem.mjs';
import { FAULTS } from './faults/fault-kinds.mjs';

const DEFAULTS = { runs: '300', seed: '', minutes: '10', concurrency: '16', every: '4000' };
const NAMES = Object.keys(FAULTS);

export const HELP = `npm run chaos -- [options]
  --runs N          runs to start (default ${DEFAULTS.runs})
  --seed N          seed of everything that is random (default: chosen, and printed)
  --minutes N       after so many minutes no further run is started (default ${DEFAULTS.minutes})
  --concurrency N   runs under way at once (default ${DEFAULTS.concurrency})
  --every MS        mean pause between two faults (default ${DEFAULTS.every})
  --faults LIST     only these faults, by name and separated by commas; each so often as it is named
  --once            every fault of the list once and in its order, then no more

Faults: ${NAMES.join(', ')}`;

/** @throws SetupProblem with a message for a person */
export function readOptions(args) {
  const { values } = parsed(args);
  const number = (name) => {
    const value = Number(values[name] ?? DEFAULTS[name]);
    if (!Number.isFinite(value) || value <= 0)
      throw new SetupProblem(`--${name} takes a number above 0, not "${values[name]}".`);
    return value;
  };
  const whole = (name) => {
    const value = number(name);
    if (!Number.isInteger(value))
      throw new SetupProblem(`--${name} takes a whole number, not "${values[name]}".`);
    return value;
  };
  return {
    help: values.help,
    runs: whole('runs'),
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
    minutes: number('minutes'),
    concurrency: whole('concurrency'),
    everyMs: number('every'),
    faults: faultsOf(values.faults),
    once: values.once,
  };
}

function parsed(args) {
  const options = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }]));
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ args, options: { ...options, faults: { type: 'string' }, once: flag, help: flag } });
  } catch (error) {
    throw new SetupProblem(`${error.message}\n  npm run chaos -- --help tells the options.`);
  }
}

/** Null: all of them. Checked here, and not when the platform has been started for it. */
function faultsOf(list) {
  if (list === undefined) return null;
  const faults = list.split(',').map((name) => name.trim());
  const unknown = faults.filter((name) => !NAMES.includes(name));
  if (unknown.length === 0) return faults;
  throw new SetupProblem(
    `There is no fault ${unknown.map((name) => `"${name}"`).join(', ')}. There are ${NAMES.join(', ')}.`,
  );
}
