import { createServer } from 'node:http';
import type { TenantId } from '@plinth/protocol';
import { describeArtifactStore } from '@plinth/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { S3ArtifactStore, type S3Settings } from '../src/artifacts/s3-artifact-store.js';
import type { StorageFailureCode } from '../src/artifacts/storage-failure.js';
import { listenOn } from './outbound-fixture.js';
import { type S3Peer, startS3Peer } from './s3-peer.js';

const acme = 'ten_acme' as TenantId;
const hello = new TextEncoder().encode('hello');
const HELLO_KEY = 'ten_acme/2c/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

const settingsOf = (peer: Pick<S3Peer, 'endpoint' | 'bucket' | 'credentials'>): S3Settings => ({
  bucket: peer.bucket,
  endpoint: peer.endpoint,
  credentials: peer.credentials,
  region: 'us-east-1',
  pathStyle: true,
  prefix: 'plinth/files/',
  timeoutMs: 10_000,
});

describeArtifactStore('a service that speaks S3', async () => {
  const peer = await startS3Peer();
  const store = new S3ArtifactStore(settingsOf(peer));
  return {
    store,
    lose: (storageKey) => peer.remove(`plinth/files/${storageKey}`),
    async close() {
      store.close();
      await peer.close();
    },
  };
});

describe('a bucket', () => {
  let peer: S3Peer;
  const stores: S3ArtifactStore[] = [];
  beforeAll(async () => {
    peer = await startS3Peer();
  });
  afterAll(async () => {
    for (const store of stores) store.close();
    await peer.close();
  });

  const storeWith = (changes: Partial<S3Settings> = {}) => {
    const store = new S3ArtifactStore({ ...settingsOf(peer), ...changes });
    stores.push(store);
    return store;
  };
  const codeOf = (attempt: Promise<unknown>): Promise<StorageFailureCode | 'done'> =>
    attempt.then(
      () => 'done' as const,
      (error: { code: StorageFailureCode }) => error.code,
    );

  test('has its objects under the prefix and the tenant, with the same keys as a folder has', async () => {
    expect(await storeWith().put(acme, hello)).toMatchObject({ storageKey: HELLO_KEY });
    expect(await peer.keys()).toEqual([`plinth/files/${HELLO_KEY}`]);
  });

  test('that holds other bytes than the key says gives none', async () => {
    await storeWith().put(acme, hello);
    await peer.write(`plinth/files/${HELLO_KEY}`, 'hellx');
    expect(await codeOf(storeWith().get(acme, HELLO_KEY))).toBe('damaged');
    await peer.remove(`plinth/files/${HELLO_KEY}`);
    expect(await codeOf(storeWith().get(acme, HELLO_KEY))).toBe('missing');
  });

  test('fails by name: wrong secret, no bucket, nobody there', async () => {
    const forged = { ...peer.credentials, secretAccessKey: 'another-secret' };
    expect(await codeOf(storeWith({ credentials: forged }).put(acme, hello))).toBe('denied');
    expect(await codeOf(storeWith({ bucket: 'another-bucket' }).put(acme, hello))).toBe('no_bucket');
    expect(await codeOf(storeWith({ bucket: 'another-bucket' }).get(acme, HELLO_KEY))).toBe('no_bucket');
    expect(await codeOf(storeWith({ endpoint: 'http://127.0.0.1:1' }).put(acme, hello))).toBe('unavailable');
  });

  test('that does not answer, or stops in the middle, is given up in time', async () => {
    const silent = await listenOn(createServer(() => {}));
    const halting = await listenOn(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('the beginning');
      }),
    );
    try {
      expect(await codeOf(storeWith({ endpoint: silent.url, timeoutMs: 300 }).put(acme, hello))).toBe(
        'timed_out',
      );
      expect(await codeOf(storeWith({ endpoint: halting.url, timeoutMs: 300 }).get(acme, HELLO_KEY))).toBe(
        'timed_out',
      );
    } finally {
      await Promise.all([silent.close(), halting.close()]);
    }
  });

  test('that will do says nothing at start; one that will not says what to set, and tells no secret', async () => {
    await storeWith().check();
    const forged = { ...peer.credentials, secretAccessKey: 'a-secret-that-nobody-may-see' };
    const said = async (changes: Partial<S3Settings>): Promise<string> =>
      storeWith(changes)
        .check()
        .then(
          () => 'nothing',
          (error: Error) => error.message,
        );
    expect(await said({ credentials: forged })).toMatch(
      /^Artifacts cannot be kept in the bucket "plinth-test" at http:.*PLINTH_S3_ACCESS_KEY_ID/,
    );
    expect(await said({ credentials: forged })).not.toContain('nobody-may-see');
    expect(await said({ bucket: 'another-bucket' })).toMatch(/Make the bucket, or set PLINTH_S3_BUCKET/);
    expect(await said({ endpoint: 'http://127.0.0.1:1' })).toMatch(/PLINTH_S3_ENDPOINT/);
  });
});
