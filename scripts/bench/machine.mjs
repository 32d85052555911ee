/** What the numbers were measured on. A number without its machine says nothing. */
import { cpus, release, totalmem, type } from 'node:os';
import { withConnection } from '../database/connection.mjs';
import { run } from '../lib/run.mjs';

export async function describeMachine({ postgres, redis }) {
  const git = async (...args) => {
    const { code, output } = await run('git', args);
    return code === 0 ? output.trim() : 'unknown';
  };
  return {
    date: new Date().toISOString(),
    commit: await git('rev-parse', '--short', 'HEAD'),
    uncommittedChanges: (await git('status', '--porcelain')) !== '',
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    postgres: await withConnection(postgres.url, serverVersion),
    redis: await redisVersion(redis.url),
  };
}

async function serverVersion(client) {
  const { rows } = await client.query('SHOW server_version');
  return rows[0].server_version;
}

async function redisVersion(url) {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  const info = await client.info('server');
  client.disconnect();
  return /redis_version:(\S+)/.exec(info)?.[1];
}
