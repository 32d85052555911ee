import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '@plinth/testkit/system';
import { expect, it } from 'vitest';

/** Half a minute on a quiet machine; where several suites share two cores, much longer. */
const PATIENT_MS = 300_000;

/**
 * Faults of processes, of Redis, of Postgres and of the model come, and runs of every kind are in the middle of something
 * when they do. Redis also loses what it had, while those that wrote to it die.
 */
const FAULTS = [
  ...['kill-worker', 'redis-flush', 'kill-api', 'postgres-crash', 'model-cut', 'kill-in-dispatch'],
  ...['redis-old-file', 'freeze-worker', 'redis-freeze', 'postgres-restart', 'deploy-worker', 'model-error'],
];
const SHORT = '--runs 40 --seed 7 --concurrency 12 --every 900 --once --faults'
  .split(' ')
  .concat(FAULTS.join(','));

it(
  'nothing is lost, asked twice or done twice while workers, Redis and Postgres are killed (npm run chaos, short)',
  async () => {
    const main = fileURLToPath(new URL('../chaos/main.mjs', import.meta.url));
    // A process of its own: it starts real processes from the build, and its private stores go with it.
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...SHORT], {
      cwd: ROOT,
      maxBuffer: 2 ** 26,
      timeout: PATIENT_MS - 20_000,
    }).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}\n${error.stderr}` }));
    expect(stdout.includes('every rule held'), stdout).toBe(true);
  },
  PATIENT_MS,
);
