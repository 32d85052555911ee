/**
 * A private Redis: its own data directory, its own port on 127.0.0.1, a password of its own.
 *
 * Promise: starting always works, whatever became of the previous owner, and two servers never write to one
 * directory. Like Postgres it lives in a process group of its own. A Redis left behind by an owner that was killed
 * is found by the port and password in its configuration file, and told to shut down before a new one starts.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../lib/ports.mjs';
import { SetupProblem } from '../lib/problem.mjs';
import { endProcess } from '../lib/processes.mjs';
import { readOrCreateSecret, writeSecret } from '../lib/secret-file.mjs';
import { claimService } from './claim.mjs';
import { findRedisProgram } from './redis-program.mjs';
import { askRedis } from './redis-wire.mjs';

const START_PATIENCE_MS = 60_000;

/**
 * @param {{ dataDir: string, log: (line: string) => void, durable?: boolean, port?: number }} options
 *   `durable: false` keeps everything in memory, for tests only. `port` is for a restart that keeps the address;
 *   without it a free one is taken.
 * @returns {Promise<{ url: string, exited: Promise<void>, stop(): Promise<void> }>}
 */
export async function startRedis({ dataDir, log, durable = true, port: wanted }) {
  const claim = claimService(dataDir, 'Redis');
  const command = await findRedisProgram(log);
  const password = readOrCreateSecret(join(dataDir, 'password'), () => randomBytes(24).toString('base64url'));
  const configFile = join(dataDir, 'redis.conf');
  await endOrphan(configFile, password, log);

  const port = wanted ?? (await freePort());
  writeSecret(configFile, configuration({ dataDir, port, password, durable }));
  const output = openSync(join(dataDir, 'redis.log'), 'w', 0o600);
  const { file, args } = command(configFile, dataDir, port);
  const server = spawn(file, args, { cwd: dataDir, detached: true, stdio: ['ignore', output, output] });
  server.once('error', () => {});
  server.unref();
  claim.record(server.pid);
  const exited = new Promise((resolve) => server.once('exit', () => resolve()));
  await untilReady(server, { port, password }, join(dataDir, 'redis.log'));
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    exited,
    async stop() {
      await endProcess(server.pid, { signal: 'SIGTERM', patienceMs: 15_000, lastResort: 'SIGKILL' });
      claim.release();
    },
  };
}

function configuration({ dataDir, port, password, durable }) {
  const persistence = durable ? ['appendonly yes', 'appendfsync everysec'] : ['appendonly no'];
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${dataDir}"`,
    'maxmemory-policy noeviction',
    'databases 1024',
    'save ""',
    ...persistence,
    '',
  ].join('\n');
}

async function endOrphan(configFile, password, log) {
  if (!existsSync(configFile)) return;
  const port = Number(/^port (\d+)$/m.exec(readFileSync(configFile, 'utf8'))?.[1]);
  const isThere = () => askRedis({ port, password, commands: ['PING'] });
  if (!port || (await isThere()) === null) return;
  log('Redis: stopping the one that an earlier run left behind');
  await askRedis({ port, password, commands: ['SHUTDOWN'], patienceMs: 15_000 });
  const deadline = Date.now() + 30_000;
  while ((await isThere()) !== null) {
    if (Date.now() > deadline)
      throw new SetupProblem(`A Redis on port ${port} still uses ${configFile}: stop it.`);
    await sleep(50);
  }
}

async function untilReady(server, address, logFile) {
  const deadline = Date.now() + START_PATIENCE_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null || !server.pid) break;
    if ((await askRedis({ ...address, commands: ['PING'] })) === '+PONG') return;
    await sleep(30);
  }
  if (server.pid) server.kill('SIGKILL');
  const tail = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n  ');
  throw new SetupProblem(`Redis did not start. The end of its log (${logFile}):\n  ${tail}`);
}
