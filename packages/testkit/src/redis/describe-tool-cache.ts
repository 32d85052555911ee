import type { ToolCache } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let tenants = 0;
const aTenant = (): TenantId => {
  tenants += 1;
  return `ten_${tenants}` as TenantId;
};

export interface ToolCacheUnderTest {
  /** Keeps no more than three results of a tenant. */
  cache: ToolCache;
  /** Resolves when the time of results of one second is over. */
  passASecond(): Promise<void>;
  close(): Promise<void>;
}

/** The rules of every `ToolCache`. */
export function describeToolCache(name: string, open: () => Promise<ToolCacheUnderTest>): void {
  describe(`tool cache: ${name}`, () => {
    let underTest: ToolCacheUnderTest;
    beforeAll(async () => {
      underTest = await open();
    });
    afterAll(() => underTest.close());

    it('gives back what was put, the newest, whatever its characters', async () => {
      const { cache } = underTest;
      const tenant = aTenant();
      expect(await cache.get(tenant, 'a')).toBeNull();
      await cache.put(tenant, 'a', '{"n":1}', 60);
      await cache.put(tenant, 'a', '{"text":"秋 – ☕ 12|34"}', 60);
      expect(await cache.get(tenant, 'a')).toBe('{"text":"秋 – ☕ 12|34"}');
      expect(await cache.get(tenant, 'b')).toBeNull();
    });

    it('has nothing for another tenant', async () => {
      const { cache } = underTest;
      const tenant = aTenant();
      await cache.put(tenant, 'a', '1', 60);
      expect(await cache.get(aTenant(), 'a')).toBeNull();
    });

    it('gives nothing back after its time', async () => {
      const { cache, passASecond } = underTest;
      const tenant = aTenant();
      await cache.put(tenant, 'long', '1', 60);
      await cache.put(tenant, 'short', '2', 1);
      expect(await cache.get(tenant, 'short')).toBe('2');
      await passASecond();
      expect(await cache.get(tenant, 'short')).toBeNull();
      expect(await cache.get(tenant, 'long')).toBe('1');
    });

    it('keeps so many of a tenant: what ends first makes room, and nothing of another tenant does', async () => {
      const { cache } = underTest;
      const [tenant, other] = [aTenant(), aTenant()];
      await cache.put(other, 'a', '0', 10);
      const ttls = [300, 100, 200, 400];
      for (const [n, ttl] of ttls.entries()) await cache.put(tenant, `key ${n}`, String(n), ttl);
      const kept = await Promise.all(ttls.map((_, n) => cache.get(tenant, `key ${n}`)));
      expect(kept).toEqual(['0', null, '2', '3']);
      expect(await cache.get(other, 'a')).toBe('0');
    });
  });
}
