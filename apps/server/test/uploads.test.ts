import { createHash } from 'node:crypto';
import type { StoredFile } from '@plinth/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UPLOAD_LIFE_MS, Uploads } from '../src/uploads/uploads.js';
import {
  ADA,
  type AddedTenant,
  asEndUser,
  BOB,
  type DatabaseFixture,
  EVERYBODY,
  openDatabase,
} from './database-fixture.js';

let fixture: DatabaseFixture;
let uploads: Uploads;
let acme: AddedTenant;
let bolt: AddedTenant;
beforeAll(async () => {
  fixture = await openDatabase();
  uploads = new Uploads(fixture.database, fixture.clock, fixture.ids);
});
beforeEach(async () => {
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
});
afterAll(() => fixture.close());

const file: StoredFile = {
  title: '海报\0.png',
  kind: 'image',
  mimeType: 'image/png',
  storageKey: 'place',
  sizeBytes: 7,
  sha256: createHash('sha256').update('poster').digest('hex'),
};

describe('an upload', () => {
  test('is found by whose it is, and by a back end of the tenant', async () => {
    const { id } = await uploads.add(acme.id, ADA, file);
    const kept = new Map([[id, { ...file, title: '海报\ufffd.png' }]]);
    expect(await uploads.find(acme.id, asEndUser(ADA), [id, 'upl_none'])).toEqual(kept);
    expect(await uploads.find(acme.id, EVERYBODY, [id])).toEqual(kept);
    expect(await uploads.find(acme.id, asEndUser(BOB), [id])).toEqual(new Map());
    for (const viewer of [asEndUser(ADA), EVERYBODY])
      expect(await uploads.find(bolt.id, viewer, [id])).toEqual(new Map());
  });

  test('is gone after a day, whether or not it was forgotten by then', async () => {
    const old = await uploads.add(acme.id, ADA, file);
    fixture.clock.advance(UPLOAD_LIFE_MS - 1);
    expect((await uploads.find(acme.id, EVERYBODY, [old.id])).size).toBe(1);
    fixture.clock.advance(1);
    expect((await uploads.find(acme.id, EVERYBODY, [old.id])).size).toBe(0);
  });
});
