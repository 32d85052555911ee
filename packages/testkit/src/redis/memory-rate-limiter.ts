import type { Clock, RateLimiter, RateLimitUse } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** Windows in memory, each of which begins with its first call. */
export class MemoryRateLimiter implements RateLimiter {
  private readonly windows = new Map<string, { used: number; endsAt: number }>();

  constructor(private readonly clock: Clock) {}

  async take(tenant: TenantId, use: RateLimitUse): Promise<{ retryAfterSeconds: number | null }> {
    const { max, perSeconds } = use;
    const key = JSON.stringify([tenant, use.tool, use.endUserId, max, perSeconds]);
    const now = this.clock.now();
    const known = this.windows.get(key);
    const window = known && known.endsAt > now ? known : { used: 0, endsAt: now + perSeconds * 1000 };
    window.used += 1;
    this.windows.set(key, window);
    if (window.used <= max) return { retryAfterSeconds: null };
    return { retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
  }
}
