/**
 * A private Postgres: its own data directory, its own port on 127.0.0.1, a password of its own.
 *
 * Promise: starting always works, whatever became of the previous owner. Postgres runs in a process group
 * of its own, so a Ctrl-C reaches it only through `stop()`, and it outlives an owner that was killed. Such an
 * orphan is shut down cleanly (its data is safe) before a new one is started on the same directory.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../lib/ports.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { commandLine, endProcess, isAlive, isNumberTaken } from '../lib/processes.mjs';
import { readOrCreateSecret } from '../lib/secret-file.mjs';
import { claimService } from './claim.mjs';
import { findPostgresBinaries } from './postgres-binaries.mjs';
import { postgresUser } from './postgres-user.mjs';

const DATABASE = 'plinth';
const START_PATIENCE_MS = 60_000;

/**
 * @param {{ dataDir: string, log: (line: string) => void, durable?: boolean, port?: number }} options
 *   `durable: false` gives up the safety of the data for speed, for tests only. `port` is for a restart that
 *   keeps the address; without it a free one is taken.
 * @returns {Promise<{ url: string, exited: Promise<void>, stop(): Promise<void> }>} `url` is a superuser's.
 */
export async function startPostgres({ dataDir, log, durable = true, port: wanted }) {
  const claim = claimService(dataDir, 'Postgres');
  const binaries = findPostgresBinaries();
  const user = postgresUser(binaries.postgres, dataDir);
  const password = readOrCreateSecret(join(dataDir, 'password'), () => randomBytes(24).toString('base64url'));
  const cluster = join(dataDir, 'cluster');

  await endOrphan(cluster, log);
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    log('Postgres: making a new cluster');
    createCluster({ binaries, user, cluster, dataDir, password, durable });
  }
  const port = wanted ?? (await freePort());
  const server = await launch({ binaries, user, cluster, dataDir, port, durable });
  claim.record(server.pid);
  const urlOf = (database) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  const exited = new Promise((resolve) => server.once('exit', () => resolve()));
  await untilReady(server, urlOf('postgres'), join(dataDir, 'postgres.log'));
  await ensureDatabase(urlOf('postgres'));
  return {
    url: urlOf(DATABASE),
    exited,
    async stop() {
      await stopServer(server.pid);
      claim.release();
    },
  };
}

/** SIGINT is Postgres' "fast" shutdown: connections are closed, everything is flushed. */
function stopServer(pid) {
  return endProcess(pid, { signal: 'SIGINT', patienceMs: 30_000, lastResort: 'SIGQUIT' });
}

async function endOrphan(cluster, log) {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!pid || !isNumberTaken(pid)) return;
  if (isAlive(pid) && commandLine(pid).includes(cluster)) {
    log('Postgres: stopping the one that an earlier run left behind');
    await stopServer(pid);
    return;
  }
  // The number belongs to a stranger now, or to a dead process that nobody collects; Postgres would take
  // either for a rival and refuse. The children of a dead one need a moment to notice and leave.
  await sleep(500);
  rmSync(pidFile, { force: true });
}

/** Made beside its final place and moved there, so that an interrupted initialisation leaves nothing behind. */
function createCluster({ binaries, user, cluster, dataDir, password, durable }) {
  const draft = `${cluster}.new`;
  const passwordFile = join(dataDir, 'initdb-password');
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(draft, { mode: 0o700 });
  readOrCreateSecret(passwordFile, () => `${password}\n`);
  user.own(draft);
  user.own(passwordFile);
  const { file, args, options } = user.command(binaries.initdb, [
    `--pgdata=${draft}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  const done = spawnSync(file, args, { ...options, cwd: '/', encoding: 'utf8' });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    throw new SetupProblem(`Postgres could not be initialised in ${cluster}:\n${done.stderr || done.error}`);
  }
  chmodSync(draft, 0o700);
  renameSync(draft, cluster);
}

async function launch({ binaries, user, cluster, dataDir, port, durable }) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = user.command(binaries.postgres, ['-D', cluster, ...flags]);
  const output = openSync(join(dataDir, 'postgres.log'), 'w', 0o600);
  const server = spawn(file, args, {
    ...options,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  });
  server.once('error', () => {});
  server.unref();
  return server;
}

async function untilReady(server, url, logFile) {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null || !server.pid) break;
    if (await query(url, 'SELECT 1').catch(() => null)) return;
    await sleep(50);
  }
  if (server.pid && isAlive(server.pid)) await stopServer(server.pid);
  const tail = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n  ');
  throw new SetupProblem(`Postgres did not start. The end of its log (${logFile}):\n  ${tail}`);
}

async function ensureDatabase(url) {
  const { rowCount } = await query(url, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (rowCount === 0) await query(url, `CREATE DATABASE ${DATABASE}`);
}

async function query(connectionString, sql) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
