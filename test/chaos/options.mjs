/** What the chaos run is told on its command line. */
import { parseArgs } from 'node:util';

const DEFAULTS = { runs: '300', seed: '', minutes: '10', concurrency: '16', every: '4000' };

export const HELP = `npm run chaos -- [options]
  --runs N          runs to start (default ${DEFAULTS.runs})
  --seed N          seed of everything that is random (default: chosen, and printed)
  --minutes N       after so many minutes no further run is started (default ${DEFAULTS.minutes})
  --concurrency N   runs under way at once (default ${DEFAULTS.concurrency})
  --every MS        mean pause between two faults (default ${DEFAULTS.every})
  --faults LIST     only these faults, by name and separated by commas; each so often as it is named
  --once            every fault of the list once and in its order, then no more`;

/** @throws Error with a message for a person */
export function readOptions(args) {
  const options = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({
    args,
    options: {
      ...options,
      faults: { type: 'string' },
      once: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name) => {
    const value = Number(values[name] ?? DEFAULTS[name]);
    if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} takes a number above 0.`);
    return value;
  };
  return {
    help: values.help,
    runs: number('runs'),
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
    minutes: number('minutes'),
    concurrency: number('concurrency'),
    everyMs: number('every'),
    faults: values.faults?.split(',') ?? null,
    once: values.once,
  };
}
