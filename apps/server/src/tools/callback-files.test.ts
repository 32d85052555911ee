import type { ArtifactStore } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { type CallbackFile, storeCallbackFiles } from './callback-files.js';

const acme = 'ten_acme' as TenantId;
const MIB = 1024 * 1024;

/** Keeps what it was given in memory. */
function memoryStore(): ArtifactStore & { puts: Uint8Array[] } {
  const puts: Uint8Array[] = [];
  return {
    puts,
    async put(tenant, bytes) {
      puts.push(bytes);
      return {
        storageKey: `${tenant}/${puts.length}`,
        sizeBytes: bytes.length,
        sha256: `sha-${puts.length}`,
      };
    },
    async get() {
      throw new Error('not needed here');
    },
    async remove() {
      throw new Error('not needed here');
    },
  };
}
const file = (name: string, content: Buffer | string, contentType?: string): CallbackFile => ({
  name,
  base64: Buffer.from(content).toString('base64'),
  ...(contentType === undefined ? {} : { contentType }),
});

async function refusalOf(files: CallbackFile[], store = memoryStore()) {
  const error = await storeCallbackFiles(store, acme, files).catch((caught: unknown) => caught);
  expect(store.puts).toHaveLength(0);
  if (!PlinthError.isInstance(error)) throw new Error('expected a refusal');
  return { code: error.code, paths: error.fields.map(({ path }) => path), message: error.message };
}

describe('the files of a callback', () => {
  test('each is stored, and its kind is what its bytes say', async () => {
    const store = memoryStore();
    const stored = await storeCallbackFiles(store, acme, [
      file('poster.png', '<svg/>', 'image/png'),
      file('notes.md', '# Notes'),
    ]);
    expect(stored).toEqual([
      {
        title: 'poster.png',
        kind: 'image',
        mimeType: 'image/svg+xml',
        storageKey: 'ten_acme/1',
        sizeBytes: 6,
        sha256: 'sha-1',
      },
      {
        title: 'notes.md',
        kind: 'document',
        mimeType: 'text/markdown',
        storageKey: 'ten_acme/2',
        sizeBytes: 7,
        sha256: 'sha-2',
      },
    ]);
    expect(Buffer.from(store.puts[1] ?? []).toString()).toBe('# Notes');
  });

  test('more than 16 files are refused', async () => {
    const files = Array.from({ length: 17 }, (_, index) => file(`${index}.txt`, 'x'));
    expect(await refusalOf(files)).toMatchObject({ code: 'invalid_request', paths: ['files'] });
  });

  test('a file over 25 MiB is refused and named, and the others are not stored either', async () => {
    const files = [file('small.txt', 'x'), file('big.bin', Buffer.alloc(25 * MIB + 1))];
    expect(await refusalOf(files)).toMatchObject({ code: 'body_too_large', paths: ['files.1.base64'] });
  });

  test('files of more than 32 MiB together are refused', async () => {
    const files = [file('a.bin', Buffer.alloc(17 * MIB)), file('b.bin', Buffer.alloc(17 * MIB))];
    expect(await refusalOf(files)).toMatchObject({ code: 'body_too_large', paths: ['files'] });
  });

  test('a file of exactly 25 MiB is taken', async () => {
    const store = memoryStore();
    await storeCallbackFiles(store, acme, [file('a.bin', Buffer.alloc(25 * MIB))]);
    expect(store.puts[0]?.length).toBe(25 * MIB);
  });

  test.each([
    ['not base64', '***not*base64***'],
    ['empty', ''],
  ])('a file that is %s is refused and named', async (what, base64) => {
    const refusal = await refusalOf([file('ok.txt', 'x'), { name: 'bad.bin', base64 }]);
    expect(refusal).toMatchObject({ code: 'invalid_request', paths: ['files.1.base64'] });
    expect(refusal.message).toContain(what.split(' ').at(-1));
  });
});
