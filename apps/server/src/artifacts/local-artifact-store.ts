import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArtifactLost, type ArtifactStore } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { assertOwnKey, storageKeyOf } from './storage-key.js';

/**
 * Artifact bytes as files under `<dataDir>/artifacts/<tenant>/<first two of the hash>/<hash>`, which without
 * its root is the storage key. A file appears whole or not at all, and is on disk before `put` returns: the row
 * that names it is committed afterwards.
 */
export class LocalArtifactStore implements ArtifactStore {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'artifacts');
  }

  async put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }> {
    const { storageKey, sha256 } = storageKeyOf(tenant, bytes);
    const path = join(this.#root, storageKey);
    if (!(await isThere(path, bytes.length))) await writeWhole(path, bytes);
    return { storageKey, sizeBytes: bytes.length, sha256 };
  }

  /** @throws Error with a message for a person when the folder cannot be written */
  async check(): Promise<void> {
    try {
      await mkdir(this.#root, { recursive: true });
      await access(this.#root, constants.W_OK);
    } catch (error) {
      throw new Error(
        `The folder ${this.#root} for artifacts cannot be written (${(error as NodeJS.ErrnoException).code}). Set PLINTH_DATA_DIR to one that can.`,
        { cause: error },
      );
    }
  }

  async get(tenant: TenantId, storageKey: string): Promise<Uint8Array> {
    assertOwnKey(tenant, storageKey);
    try {
      return await readFile(join(this.#root, storageKey));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new ArtifactLost('missing', `There is no file ${storageKey}.`, error);
    }
  }
}

async function isThere(path: string, sizeBytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.size === sizeBytes;
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeAndSync(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function writeAndSync(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name itself durable. Windows cannot open a folder, and needs no such thing. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
