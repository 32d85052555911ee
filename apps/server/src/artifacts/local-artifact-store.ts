import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArtifactLost, type ArtifactStore, type Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { systemClock } from '../platform/system-clock.js';
import { assertOwnKey, storageKeyOf } from './storage-key.js';

/**
 * Artifact bytes as files under `<dataDir>/artifacts/<tenant>/<first two of the hash>/<hash>`, which without
 * its root is the storage key. A file appears whole or not at all, and is on disk before `put` returns: the row
 * that names it is committed afterwards. Its time says when its bytes were last stored.
 */
export class LocalArtifactStore implements ArtifactStore {
  readonly #root: string;

  constructor(
    dataDir: string,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#root = join(dataDir, 'artifacts');
  }

  async put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }> {
    const { storageKey, sha256 } = storageKeyOf(tenant, bytes);
    const path = join(this.#root, storageKey);
    const now = new Date(this.clock.now());
    // First the time, then the look: a file that is being deleted is found fresh, or not at all.
    await utimes(path, now, now).catch(unlessMissing);
    if (!(await isThere(path, bytes.length))) await writeWhole(path, bytes, now);
    return { storageKey, sizeBytes: bytes.length, sha256 };
  }

  async remove(tenant: TenantId, storageKey: string, storedBefore: number): Promise<boolean> {
    assertOwnKey(tenant, storageKey);
    const path = join(this.#root, storageKey);
    if (!(await isOlder(path, storedBefore))) return false;
    // Out of the way of who stores the same bytes now; and looked at again, for who did just before.
    const doomed = `${path}.${randomUUID()}.old`;
    if (!(await rename(path, doomed).then(() => true, unlessMissing))) return true;
    const isDoomed = await isOlder(doomed, storedBefore);
    await (isDoomed ? rm(doomed, { force: true }) : rename(doomed, path));
    return isDoomed;
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

/** True of one that is not there. */
async function isOlder(path: string, than: number): Promise<boolean> {
  const found = await stat(path).catch(unlessMissing);
  return !found || found.mtimeMs < than;
}

function unlessMissing(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false;
  throw error;
}

async function writeWhole(path: string, bytes: Uint8Array, now: Date): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeAndSync(draft, bytes, now);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function writeAndSync(path: string, bytes: Uint8Array, now: Date): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.utimes(now, now);
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
