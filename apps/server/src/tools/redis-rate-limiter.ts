import type { RateLimiter, RateLimitUse } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisKeys } from '../platform/redis/redis-keys.js';

const MOST_LIMITS = 1_000;

/** Windows in Redis, counted by one script each, so that all workers share them. */
export class RedisRateLimiter implements RateLimiter {
  /** One for each limit that tools have: `<max>/<perSeconds>`. */
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(
    private readonly redis: Redis,
    private readonly keys: RedisKeys,
  ) {}

  async take(tenant: TenantId, use: RateLimitUse): Promise<{ retryAfterSeconds: number | null }> {
    try {
      await this.#limiterOf(use).consume(this.keys.rateLimit(tenant, use));
      return { retryAfterSeconds: null };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) };
    }
  }

  #limiterOf({ max, perSeconds }: RateLimitUse): RateLimiterRedis {
    const name = `${max}/${perSeconds}`;
    const known = this.#limiters.get(name);
    if (known) return known;
    const made = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: '',
      points: max,
      duration: perSeconds,
    });
    if (this.#limiters.size >= MOST_LIMITS) this.#limiters.clear();
    this.#limiters.set(name, made);
    return made;
  }
}
