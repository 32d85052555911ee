import type { Clock, ToolCache } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

interface Entry {
  text: string;
  expiresAt: number;
}

/** Results in memory, with as many of each tenant as are allowed. Those whose time ends first make room. */
export class MemoryToolCache implements ToolCache {
  private readonly tenants = new Map<TenantId, Map<string, Entry>>();

  constructor(
    private readonly clock: Clock,
    private readonly mostEntries = 1_000,
  ) {}

  async get(tenant: TenantId, key: string): Promise<string | null> {
    const entry = this.tenants.get(tenant)?.get(key);
    return entry && entry.expiresAt > this.clock.now() ? entry.text : null;
  }

  async put(tenant: TenantId, key: string, text: string, ttlSeconds: number): Promise<void> {
    const entries = this.tenants.get(tenant) ?? new Map<string, Entry>();
    this.tenants.set(tenant, entries);
    entries.set(key, { text, expiresAt: this.clock.now() + ttlSeconds * 1000 });
    const oldest = [...entries].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [name] of oldest.slice(0, Math.max(0, entries.size - this.mostEntries))) entries.delete(name);
  }
}
