/** Postgres and Redis for this run: the ones the environment names, else embedded ones that live with the run. */
import { join } from 'node:path';
import { checkRedis } from '../services/check-redis.mjs';
import { startPostgres } from '../services/postgres.mjs';
import { startRedis } from '../services/redis.mjs';

/** Returns `{ databaseUrl, redisUrl, lost, stop() }`; `lost` resolves with a name if one ends by itself. */
export async function startServices({ dataDir, env, log }) {
  const started = [];
  const embed = async (name, service, folder) => {
    const running = await service({ dataDir: join(dataDir, folder), log });
    started.push({ name, ...running });
    return running.url;
  };
  const stop = () => Promise.all(started.map((service) => service.stop()));
  const results = await Promise.allSettled([
    env.DATABASE_URL || embed('Postgres', startPostgres, 'postgres'),
    env.REDIS_URL ? checkRedis(env.REDIS_URL, log) : embed('Redis', startRedis, 'redis'),
  ]);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const [databaseUrl, redisUrl] = results.map(({ value }) => value);
  return {
    databaseUrl,
    redisUrl,
    lost: Promise.race(started.map(({ name, exited }) => exited.then(() => name))),
    stop,
  };
}
