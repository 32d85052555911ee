import type { Artifact, Run } from '@plinth/engine';
import type { ArtifactId, ThreadId } from '@plinth/protocol';
import { anArtifact } from '@plinth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ArtifactReader } from '../src/artifacts/artifact-reader.js';
import {
  ADA,
  type AddedTenant,
  asEndUser,
  BOB,
  codeOf,
  type DatabaseFixture,
  EVERYBODY,
  openDatabase,
} from './database-fixture.js';

let fixture: DatabaseFixture;
let reader: ArtifactReader;
let acme: AddedTenant;
let bolt: AddedTenant;
let run: Run;
beforeAll(async () => {
  fixture = await openDatabase();
  reader = new ArtifactReader(fixture.database);
});
beforeEach(async () => {
  acme = await fixture.addTenant();
  bolt = await fixture.addTenant();
  run = await fixture.addRun(acme);
});
afterAll(() => fixture.close());

async function addArtifact(fields: Partial<Artifact> = {}): Promise<ArtifactId> {
  const artifact = anArtifact({
    id: fixture.ids.next('artifact') as ArtifactId,
    threadId: run.threadId,
    endUserId: run.endUserId,
    runId: run.id,
    createdAt: fixture.clock.now(),
    ...fields,
  });
  await fixture.ledger.transact(acme.id, run.id, () => ({
    decision: { changes: [{ type: 'artifact.create', artifact }], events: [] },
    result: null,
  }));
  fixture.clock.advance(1);
  return artifact.id;
}

describe('artifacts', () => {
  test('one is read as clients see it, without the place of its bytes', async () => {
    const createdAt = fixture.clock.now();
    const id = await addArtifact({
      title: '海报.png',
      sizeBytes: 7,
      sha256: 'ab',
      storageKey: 'secret/place',
      open: 'notify',
    });
    const view = await reader.get(acme.id, asEndUser(ADA), id);
    expect(view).toEqual({
      id,
      threadId: run.threadId,
      runId: run.id,
      callId: null,
      kind: 'image',
      mimeType: 'image/png',
      title: '海报.png',
      version: 1,
      sizeBytes: 7,
      sha256: 'ab',
      open: 'notify',
      createdAt: new Date(createdAt).toISOString(),
    });
    expect(JSON.stringify(view)).not.toContain('secret/place');
  });

  test('those of a thread are listed newest first, page by page', async () => {
    const ids = [await addArtifact(), await addArtifact(), await addArtifact()];
    const first = await reader.list(acme.id, asEndUser(ADA), run.threadId, { limit: 2 });
    const second = await reader.list(acme.id, asEndUser(ADA), run.threadId, {
      limit: 2,
      cursor: first.nextCursor ?? '',
    });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.reverse());
    expect(second.nextCursor).toBeNull();
  });

  test('a signed URL stands for one version of the bytes', async () => {
    const id = await addArtifact({ storageKey: 'key', title: 'Poster' });
    expect(await reader.stored(acme.id, id, 1)).toMatchObject({
      storageKey: 'key',
      title: 'Poster',
      mimeType: 'image/png',
    });
    expect(await codeOf(reader.stored(acme.id, id, 2))).toBe('not_found');
    expect(await codeOf(reader.stored(bolt.id, id, 1))).toBe('not_found');
  });

  test("another end user's artifacts are not there", async () => {
    const id = await addArtifact();
    expect(await codeOf(reader.get(acme.id, asEndUser(BOB), id))).toBe('not_found');
    expect(await codeOf(reader.list(acme.id, asEndUser(BOB), run.threadId, { limit: 10 }))).toBe('not_found');
  });

  test('an API key sees those of every end user', async () => {
    const id = await addArtifact();
    expect((await reader.get(acme.id, EVERYBODY, id)).id).toBe(id);
    expect((await reader.list(acme.id, EVERYBODY, run.threadId, { limit: 10 })).items).toHaveLength(1);
  });

  test("another tenant's artifacts are not there, whoever asks", async () => {
    const id = await addArtifact();
    for (const viewer of [asEndUser(ADA), EVERYBODY]) {
      expect(await codeOf(reader.get(bolt.id, viewer, id))).toBe('not_found');
      expect(await codeOf(reader.list(bolt.id, viewer, run.threadId, { limit: 10 }))).toBe('not_found');
    }
  });

  test('what is not there is not found', async () => {
    expect(await codeOf(reader.get(acme.id, EVERYBODY, 'art_none' as ArtifactId))).toBe('not_found');
    expect(await codeOf(reader.list(acme.id, EVERYBODY, 'thr_none' as ThreadId, { limit: 10 }))).toBe(
      'not_found',
    );
  });
});
