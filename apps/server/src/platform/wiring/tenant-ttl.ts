import type { Clock, TenantConfigSource } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** Milliseconds that a read value is used. Appending a delta must not cost a query each. */
const FRESH_MS = 5_000;
const MOST_TENANTS = 10_000;

/** Seconds that a tenant keeps the log of an active run: read for every appended entry, so kept for a few seconds. */
export function cachedEventTtl(
  config: TenantConfigSource,
  clock: Clock,
): (tenant: TenantId) => Promise<number> {
  const known = new Map<TenantId, { seconds: number; at: number }>();
  return async (tenant) => {
    const cached = known.get(tenant);
    if (cached && clock.now() - cached.at < FRESH_MS) return cached.seconds;
    const seconds = (await config.current(tenant)).forAgent({}).ttl.activeEventsSeconds;
    if (known.size >= MOST_TENANTS) known.clear();
    known.set(tenant, { seconds, at: clock.now() });
    return seconds;
  };
}
