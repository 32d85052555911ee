/** What `npm run bench` is told on its command line. */
import { parseArgs } from 'node:util';
import { SetupProblem } from '../lib/problem.mjs';

const MOST_KILLS = 10_000;

/**
 * Returns which files are to run, and the options that they get.
 *
 * @throws SetupProblem with a message for a person
 */
export function readOptions(args) {
  const { values, positionals } = parsed(args);
  if (values.kills === undefined) return { only: positionals[0], options: {} };
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 1 || kills > MOST_KILLS)
    throw new SetupProblem(`--kills takes a whole number from 1 to ${MOST_KILLS}, not "${values.kills}".`);
  return { only: positionals[0], options: { kills } };
}

function parsed(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { kills: { type: 'string' } } });
  } catch (error) {
    throw new SetupProblem(error.message);
  }
}
