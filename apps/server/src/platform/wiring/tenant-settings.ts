import type { Clock, TenantConfigSource } from '@plinth/engine';
import type { TenantConfig, TenantId } from '@plinth/protocol';

/** Milliseconds that a read value is used. What is asked for at every delta or call must not cost a query each. */
const FRESH_MS = 5_000;
const MOST_TENANTS = 10_000;

/** One setting of each tenant, of a few seconds ago at most. Agents do not differ in it. */
function cached<Value>(
  config: TenantConfigSource,
  clock: Clock,
  pick: (values: TenantConfig) => Value,
): (tenant: TenantId) => Promise<Value> {
  const known = new Map<TenantId, { value: Value; at: number }>();
  return async (tenant) => {
    const read = known.get(tenant);
    if (read && clock.now() - read.at < FRESH_MS) return read.value;
    const value = pick((await config.current(tenant)).forAgent({}));
    if (known.size >= MOST_TENANTS) known.clear();
    known.set(tenant, { value, at: clock.now() });
    return value;
  };
}

/** Seconds that a tenant keeps the log of an active run. */
export const cachedEventTtl = (config: TenantConfigSource, clock: Clock) =>
  cached(config, clock, ({ ttl }) => ttl.activeEventsSeconds);

/** When a tenant's circuits open, and for how long. */
export const cachedBreakerSettings = (config: TenantConfigSource, clock: Clock) =>
  cached(config, clock, ({ tools }) => tools.breaker);
