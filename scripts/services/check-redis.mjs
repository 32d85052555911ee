/** Looks at a Redis that was given by URL, so that a wrong one is known before the server starts. */
import { Redis } from 'ioredis';
import { SetupProblem } from '../lib/problem.mjs';

/** Returns the URL when it can be used. */
export async function checkRedis(url, log) {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  let reason;
  redis.on('error', (error) => {
    reason = error.message || error.code;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
    if (policy && policy !== 'noeviction') {
      log(
        `Warning: this Redis may evict keys (maxmemory-policy ${policy}); jobs can get lost. Set noeviction.`,
      );
    }
    return url;
  } catch (error) {
    throw new SetupProblem(`Cannot use the Redis of REDIS_URL: ${reason ?? error.message}`);
  } finally {
    redis.disconnect();
  }
}
