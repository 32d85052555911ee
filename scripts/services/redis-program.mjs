/**
 * A Redis to run: no registry package ships one. In this order: what is on the PATH, what Debian can install,
 * what Docker can run; otherwise an error that names the three ways.
 */
import { SetupProblem } from '../lib/problem.mjs';
import { run } from '../lib/run.mjs';
import { aptInstall, mayUseApt } from './apt.mjs';
import { findProgram } from './find-program.mjs';

const NAMES = ['redis-server', 'valkey-server'];
const IMAGE = 'redis:8-alpine';

/** Returns `command(configFile, directory, port)`: what to spawn so that it serves in the foreground. */
export async function findRedisProgram(log) {
  const installed = findProgram(NAMES) ?? (await installWithApt(log));
  if (installed) return (configFile) => ({ file: installed, args: [configFile] });
  if ((await run('docker', ['info'])).code === 0) {
    log(`Redis: using Docker (${IMAGE})`);
    return inDocker;
  }
  throw new SetupProblem(
    'No Redis to be had. Any one of these will do:\n' +
      '  1. install redis-server or valkey-server, so that it is on the PATH (Debian: apt install redis-server;\n' +
      '     macOS: brew install redis),\n' +
      '  2. start Docker,\n' +
      '  3. set REDIS_URL to a Redis 6.2 or later of your own (with maxmemory-policy noeviction).',
  );
}

async function installWithApt(log) {
  if (!mayUseApt()) return undefined;
  log('Redis: installing the Debian package redis-server');
  const { ok, output } = await aptInstall(['redis-server']);
  if (!ok) log(`Redis: the package could not be installed:\n${output}`);
  return findProgram(NAMES);
}

/** The container sees the same paths, and its Redis listens on the host's loopback only. */
function inDocker(configFile, directory, port) {
  return {
    file: 'docker',
    args: [
      ...['run', '--rm', '--init', '-p', `127.0.0.1:${port}:${port}`, '-v', `${directory}:${directory}`],
      ...[IMAGE, 'redis-server', configFile, '--bind', '0.0.0.0'],
    ],
  };
}
