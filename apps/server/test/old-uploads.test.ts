import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactLost, type StoredFile } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { anId } from '@plinth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LocalArtifactStore } from '../src/artifacts/local-artifact-store.js';
import { StorageFailure } from '../src/artifacts/storage-failure.js';
import { OldUploads } from '../src/uploads/old-uploads.js';
import { UPLOAD_LIFE_MS, Uploads } from '../src/uploads/uploads.js';
import {
  ADA,
  type AddedTenant,
  BOB,
  type DatabaseFixture,
  EVERYBODY,
  openDatabase,
} from './database-fixture.js';

const HOUR_MS = 3_600_000;
const DUE_MS = UPLOAD_LIFE_MS + HOUR_MS;

let fixture: DatabaseFixture;
let dataDir: string;
let artifacts: LocalArtifactStore;
let uploads: Uploads;
let old: OldUploads;
let acme: AddedTenant;
let bolt: AddedTenant;
beforeAll(async () => {
  fixture = await openDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'plinth-old-uploads-'));
  const { database, clock } = fixture;
  artifacts = new LocalArtifactStore(dataDir, clock);
  uploads = new Uploads(database, clock, fixture.ids);
  old = new OldUploads({ database, artifacts, clock });
});
beforeEach(async () => {
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
});
afterAll(async () => {
  await fixture.close();
  await rm(dataDir, { recursive: true, force: true });
});

const picture = randomBytes(500);

/** As the endpoint does it: the bytes, then the row. */
async function upload(tenant: TenantId, bytes: Uint8Array, endUserId = ADA): Promise<StoredFile> {
  const file: StoredFile = {
    title: 'a.png',
    kind: 'image',
    mimeType: 'image/png',
    ...(await artifacts.put(tenant, bytes)),
  };
  await uploads.add(tenant, endUserId, file);
  return file;
}

const rowsOf = ({ id }: AddedTenant) =>
  fixture.database.inTenant(id, EVERYBODY, (tx) => tx.upload.count({ where: { tenantId: id } }));
const isThere = (tenant: TenantId, { storageKey }: StoredFile): Promise<boolean> =>
  artifacts.get(tenant, storageKey).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ArtifactLost) return false;
      throw error;
    },
  );

/** What else may have the bytes of an upload, each as its row is. */
const OTHERS: Record<string, (tenant: AddedTenant, file: StoredFile) => Promise<unknown>> = {
  'an artifact': addArtifact,
  'a version of one, though it has others now': async (tenant, file) => {
    const { id, endUserId } = await addArtifact(tenant, { ...file, storageKey: `${file.storageKey}0` });
    const { title, kind, mimeType, storageKey, sizeBytes, sha256 } = file;
    const data = { title, kind, mimeType, storageKey, sizeBytes, sha256, endUserId, authorKind: 'end_user' };
    const createdAt = new Date(fixture.clock.now());
    return fixture.database.inTenant(tenant.id, EVERYBODY, (tx) =>
      tx.artifactVersion.create({
        data: { ...data, tenantId: tenant.id, artifactId: id, version: 2, authorId: ADA, createdAt },
      }),
    );
  },
  'the variant of a picture that is its original': ({ id: tenantId }, { storageKey, sha256, sizeBytes }) =>
    fixture.database.inTenant(tenantId, EVERYBODY, (tx) =>
      tx.imageVariant.create({
        data: {
          ...{ tenantId, sha256, wallsKey: 'walls', step: 0, mimeType: 'image/png', width: 1, height: 1 },
          ...{ sizeBytes, storageKey, createdAt: new Date(fixture.clock.now()) },
        },
      }),
    ),
  'an import': ({ id: tenantId }, { storageKey, sha256, sizeBytes }) =>
    fixture.database.inTenant(tenantId, EVERYBODY, (tx) =>
      tx.imageImport.create({
        data: {
          ...{ tenantId, urlSha256: 'address', sha256, storageKey, mimeType: 'image/png', sizeBytes },
          fetchedAt: new Date(fixture.clock.now()),
        },
      }),
    ),
};

async function addArtifact(
  tenant: AddedTenant,
  { title, kind, mimeType, storageKey, sizeBytes, sha256 }: StoredFile,
) {
  const { threadId, endUserId } = await fixture.addRun(tenant);
  const file = { title, kind, mimeType, storageKey, sizeBytes, sha256, threadId, endUserId };
  return fixture.database.inTenant(tenant.id, EVERYBODY, (tx) =>
    tx.artifact.create({
      data: {
        ...file,
        tenantId: tenant.id,
        id: anId('artifact'),
        version: 1,
        open: 'auto',
        createdAt: new Date(fixture.clock.now()),
      },
    }),
  );
}

describe('an upload whose day is over', () => {
  test('goes with its bytes, an hour later, and not those of another tenant', async () => {
    const own = await upload(acme.id, picture);
    fixture.clock.advance(HOUR_MS);
    const others = await upload(bolt.id, picture);
    fixture.clock.advance(DUE_MS - HOUR_MS - 1);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, own)]).toEqual([1, true]);
    fixture.clock.advance(1);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, own)]).toEqual([0, false]);
    expect([await rowsOf(bolt), await isThere(bolt.id, others)]).toEqual([1, true]);
    fixture.clock.advance(HOUR_MS);
    await old.forget();
    expect([await rowsOf(bolt), await isThere(bolt.id, others)]).toEqual([0, false]);
  });

  test('leaves bytes that a younger upload has, also of another end user; the last one takes them along', async () => {
    const file = await upload(acme.id, picture);
    fixture.clock.advance(2 * HOUR_MS);
    await upload(acme.id, picture, BOB);
    fixture.clock.advance(DUE_MS - 2 * HOUR_MS);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([1, true]);
    fixture.clock.advance(2 * HOUR_MS);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([0, false]);
  });

  test.each(Object.entries(OTHERS))('leaves bytes that belong to %s', async (_what, add) => {
    const bytes = randomBytes(300);
    const file = await upload(acme.id, bytes);
    await add(acme, file);
    // The same row of another tenant keeps nothing of this one.
    const foreign = await upload(bolt.id, bytes);
    fixture.clock.advance(DUE_MS);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([0, true]);
    expect([await rowsOf(bolt), await isThere(bolt.id, foreign)]).toEqual([0, false]);
  });

  test('leaves bytes that somebody has stored again within the day: their row is yet to come', async () => {
    const file = await upload(acme.id, picture);
    fixture.clock.advance(DUE_MS - HOUR_MS / 2);
    await artifacts.put(acme.id, picture);
    fixture.clock.advance(HOUR_MS / 2);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([0, true]);
  });

  test('stays when the store is away, and goes the next time; that of another tenant does not wait for it', async () => {
    const here = await upload(acme.id, picture);
    const there = await upload(bolt.id, picture);
    fixture.clock.advance(DUE_MS);
    const away: Pick<LocalArtifactStore, 'remove'> = {
      remove: async (tenant, storageKey, storedBefore) => {
        if (tenant === acme.id) throw new StorageFailure('denied', 'The bucket did not delete it.');
        return artifacts.remove(tenant, storageKey, storedBefore);
      },
    };
    const failing = new OldUploads({ database: fixture.database, artifacts: away, clock: fixture.clock });
    await expect(failing.forget()).rejects.toThrow(StorageFailure);
    expect([await rowsOf(acme), await isThere(acme.id, here)]).toEqual([1, true]);
    expect([await rowsOf(bolt), await isThere(bolt.id, there)]).toEqual([0, false]);
    await old.forget();
    expect([await rowsOf(acme), await isThere(acme.id, here)]).toEqual([0, false]);
  });

  test('never takes bytes from who uploads the same ones at that moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const file = await upload(acme.id, picture);
      fixture.clock.advance(DUE_MS);
      await Promise.all([old.forget(), upload(acme.id, picture), old.forget()]);
      expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([1, true]);
      fixture.clock.advance(DUE_MS);
      await old.forget();
      expect([await rowsOf(acme), await isThere(acme.id, file)]).toEqual([0, false]);
    }
  });
});
