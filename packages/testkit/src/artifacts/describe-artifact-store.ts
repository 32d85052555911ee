import { createHash, randomBytes } from 'node:crypto';
import { ArtifactLost, type ArtifactStore } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface ArtifactStoreUnderTest {
  store: ArtifactStore;
  /** Takes the bytes away, as a broken disk does. */
  lose(storageKey: string): Promise<void>;
  close(): Promise<void>;
}

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const hello = new TextEncoder().encode('hello');
/** A store may keep another time than the test, by seconds. */
const HOUR_MS = 3_600_000;
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** The rules of every `ArtifactStore`. */
export function describeArtifactStore(name: string, open: () => Promise<ArtifactStoreUnderTest>): void {
  describe(`artifact store: ${name}`, () => {
    let underTest: ArtifactStoreUnderTest;
    beforeAll(async () => {
      underTest = await open();
    });
    afterAll(() => underTest.close());
    const put = (bytes: Uint8Array, tenant = acme) => underTest.store.put(tenant, bytes);
    const get = (storageKey: string, tenant = acme) => underTest.store.get(tenant, storageKey);

    it('gives back what was stored, under a key that begins with the tenant and ends with the hash', async () => {
      const stored = await put(hello);
      expect(stored).toMatchObject({ sizeBytes: 5, sha256: HELLO_SHA256 });
      expect(stored.storageKey.startsWith('ten_acme/')).toBe(true);
      expect(stored.storageKey.endsWith(`/${HELLO_SHA256}`)).toBe(true);
      expect(Buffer.from(await get(stored.storageKey)).toString()).toBe('hello');
    });

    it.each([0, 1, 6_000_000])('gives back %i bytes as they were', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const { storageKey, sha256 } = await put(bytes);
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(Buffer.from(await get(storageKey)).equals(bytes)).toBe(true);
    });

    it('keeps the same bytes once for a tenant, also when they come many times at once', async () => {
      const bytes = randomBytes(1_000);
      const all = await Promise.all(Array.from({ length: 8 }, () => put(bytes)));
      expect(new Set(all.map(({ storageKey }) => storageKey)).size).toBe(1);
      expect(Buffer.from(await get(all[0]?.storageKey ?? '')).equals(bytes)).toBe(true);
    });

    it('is not changed by what becomes of the bytes that it was given', async () => {
      const bytes = randomBytes(100);
      const { storageKey } = await put(bytes);
      const before = Buffer.from(bytes);
      bytes.fill(0);
      expect(Buffer.from(await get(storageKey)).equals(before)).toBe(true);
    });

    it("refuses another tenant's key, also for bytes that the tenant has too", async () => {
      const { storageKey } = await put(hello);
      await put(hello, bolt);
      await expect(get(storageKey, bolt)).rejects.toThrow();
    });

    it.each(['', '/etc/passwd', '../secrets.json', `ten_acme/../ten_bolt/2c/${HELLO_SHA256}`, 'ten_acme/2c'])(
      'finds nothing under the key %j',
      async (storageKey) => {
        await put(hello, bolt);
        await expect(get(storageKey)).rejects.toThrow();
      },
    );

    it('deletes what was stored before a moment, and says that it is gone as often as it is asked', async () => {
      const { storageKey } = await put(randomBytes(60));
      const remove = (storedBefore: number) => underTest.store.remove(acme, storageKey, storedBefore);
      expect(await remove(Date.now() - HOUR_MS)).toBe(false);
      expect(await get(storageKey)).toHaveLength(60);
      expect(await remove(Date.now() + HOUR_MS)).toBe(true);
      await expect(get(storageKey)).rejects.toThrow(ArtifactLost);
      expect(await remove(Date.now() + HOUR_MS)).toBe(true);
    });

    it('has deleted bytes again when they come again', async () => {
      const bytes = randomBytes(70);
      const { storageKey } = await put(bytes);
      await underTest.store.remove(acme, storageKey, Date.now() + HOUR_MS);
      await put(bytes);
      expect(Buffer.from(await get(storageKey)).equals(bytes)).toBe(true);
    });

    it("deletes nothing of another tenant's, also where the bytes are the same", async () => {
      const bytes = randomBytes(80);
      const [own, others] = [await put(bytes), await put(bytes, bolt)];
      await expect(underTest.store.remove(bolt, own.storageKey, Date.now() + HOUR_MS)).rejects.toThrow();
      await underTest.store.remove(acme, own.storageKey, Date.now() + HOUR_MS);
      expect(await get(others.storageKey, bolt)).toHaveLength(80);
    });

    it('says so when bytes are not there any more, and has them again when they come again', async () => {
      const bytes = randomBytes(50);
      const { storageKey } = await put(bytes);
      await underTest.lose(storageKey);
      await expect(get(storageKey)).rejects.toThrow(ArtifactLost);
      await put(bytes);
      expect(await get(storageKey)).toHaveLength(50);
    });
  });
}
