import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantId } from '@plinth/protocol';
import { describeArtifactStore, ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalArtifactStore } from './local-artifact-store.js';

const acme = 'ten_acme' as TenantId;
const bolt = 'ten_bolt' as TenantId;
const hello = new TextEncoder().encode('hello');

let dataDir: string;
let store: LocalArtifactStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plinth-artifacts-'));
  store = new LocalArtifactStore(dataDir);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const filesOf = async (tenant: TenantId) =>
  (await readdir(join(dataDir, 'artifacts', tenant), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile(),
  );

describeArtifactStore('on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-artifacts-'));
  return {
    store: new LocalArtifactStore(folder),
    lose: (storageKey) => rm(join(folder, 'artifacts', storageKey)),
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('artifact bytes on disk', () => {
  test('a folder that cannot be one is told at start', async () => {
    await writeFile(join(dataDir, 'file'), '');
    await expect(new LocalArtifactStore(join(dataDir, 'file')).check()).rejects.toThrow(
      /Set PLINTH_DATA_DIR/,
    );
    await store.check();
  });

  test('what was stored is read back under its hash', async () => {
    const stored = await store.put(acme, hello);
    expect(stored).toEqual({
      storageKey: 'ten_acme/2c/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      sizeBytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    });
    expect(Buffer.from(await store.get(acme, stored.storageKey)).toString()).toBe('hello');
  });

  test('the same bytes stored many times at once are one file, with no drafts left', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => store.put(acme, hello)));
    expect(new Set(all.map(({ storageKey }) => storageKey)).size).toBe(1);
    expect(await filesOf(acme)).toHaveLength(1);
  });

  test('bytes that are stored while they are deleted are there, with nothing left beside them', async () => {
    const clock = new ManualClock();
    const ticking = new LocalArtifactStore(dataDir, clock);
    const { storageKey } = await ticking.put(acme, hello);
    for (let round = 0; round < 200; round += 1) {
      clock.advance(1_000);
      const remove = () => ticking.remove(acme, storageKey, clock.now());
      await Promise.all([remove(), ticking.put(acme, hello), remove()]);
      expect(Buffer.from(await ticking.get(acme, storageKey)).toString()).toBe('hello');
    }
    expect(await filesOf(acme)).toHaveLength(1);
  });

  test('a file that was cut short is replaced when its bytes come again', async () => {
    const { storageKey } = await store.put(acme, hello);
    const path = join(dataDir, 'artifacts', storageKey);
    await writeFile(path, 'hel');
    await store.put(acme, hello);
    expect(await readFile(path, 'utf8')).toBe('hello');
  });

  test("another tenant's key is refused, also for bytes that the tenant has too", async () => {
    const { storageKey } = await store.put(acme, hello);
    await store.put(bolt, hello);
    await expect(store.get(bolt, storageKey)).rejects.toThrow('not one of the tenant');
  });

  test.each([
    '../secrets.json',
    'ten_acme/../ten_bolt/2c/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    'ten_acme/2c/../../../etc/passwd',
    '/etc/passwd',
    'ten_acme/2d/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    '',
  ])('the key %j leads nowhere', async (key) => {
    await expect(store.get(acme, key)).rejects.toThrow('not one of the tenant');
  });

  test('a tenant id that would be a path is refused', async () => {
    await expect(store.put('../x' as TenantId, hello)).rejects.toThrow('cannot name a folder');
  });

  test('bytes that are not there are an error', async () => {
    const { storageKey } = await store.put(acme, hello);
    await rm(join(dataDir, 'artifacts', storageKey));
    await expect(store.get(acme, storageKey)).rejects.toThrow('There is no file');
  });
});
