/**
 * Runs the files `test/bench/*.bench.mjs`, each in a process of its own with a fresh database.
 *
 * A file exports `default async function (services, options)`, gets `{ adminUrl, appUrl, redisUrl }` and what the
 * command line said, and returns a list of measurements: `{ name, unit, samples: number[] }` or `{ name, unit, value }`.
 */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAppRole } from '../database/app-role.mjs';
import { applyMigrations } from '../database/apply-migrations.mjs';
import { urlOfDatabase, withConnection } from '../database/connection.mjs';
import { root } from '../lib/paths.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { startRedis } from '../services/redis.mjs';
import { clearLeftovers, TEST_DIRECTORY_PREFIX } from '../testing/leftovers.mjs';
import { describeMachine } from './machine.mjs';
import { printTable, summarise, writeReport } from './report.mjs';

const FOLDER = join(root, 'test/bench');

/** Returns how many files failed. */
export async function runBenchmarks({ only = '', options = {} }) {
  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER).filter((name) => name.endsWith('.bench.mjs') && name.includes(only))
    : [];
  if (files.length === 0)
    throw new SetupProblem(`No file in test/bench/ ends in .bench.mjs and holds "${only}".`);

  await clearLeftovers();
  const directory = mkdtempSync(join(tmpdir(), TEST_DIRECTORY_PREFIX));
  const log = (line) => console.log(`    ${line}`);
  const postgres = await startPostgres({ dataDir: join(directory, 'postgres'), log });
  const redis = await startRedis({ dataDir: join(directory, 'redis'), log });
  const results = [];
  try {
    for (const [index, file] of files.entries()) {
      console.log(`… ${file}`);
      const services = await freshServices({ postgres, redis, index });
      results.push(await runFile(file, services, options));
    }
    writeReport({ machine: await describeMachine({ postgres, redis }), results });
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
  printTable(results);
  return results.filter(({ error }) => error).length;
}

/** A migrated database and a numbered Redis database that no other file has touched. */
async function freshServices({ postgres, redis, index }) {
  const name = `bench_${index + 1}`;
  await withConnection(postgres.url, (client) => client.query(`CREATE DATABASE ${name}`));
  const adminUrl = urlOfDatabase(postgres.url, name);
  const appUrl = await ensureAppRole({ adminUrl, password: 'bench' });
  await applyMigrations({ adminUrl, log: () => {} });
  return { adminUrl, appUrl, redisUrl: `${redis.url}/${index + 1}` };
}

function runFile(file, services, options) {
  const child = fork(join(root, 'scripts/bench/run-one.mjs'), [join(FOLDER, file)], {
    cwd: root,
    execArgv: ['--expose-gc', '--enable-source-maps'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PLINTH_BENCH_SERVICES: JSON.stringify(services),
      PLINTH_BENCH_OPTIONS: JSON.stringify(options),
    },
  });
  let measurements;
  child.on('message', (message) => {
    measurements = message;
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const failed = code !== 0 || !measurements;
      resolve({
        file,
        measurements: (measurements ?? []).map(summarise),
        ...(failed && { error: `ended with ${signal ?? `code ${code}`}` }),
      });
    });
  });
}
