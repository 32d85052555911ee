import { createHash } from 'node:crypto';
import { ArtifactLost, type ArtifactStore } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** The bytes of artifacts without a disk. */
export class MemoryArtifactStore implements ArtifactStore {
  private readonly stored = new Map<string, Uint8Array>();
  /** Set to make every `put` fail, as a full disk does. */
  full = false;

  async put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }> {
    if (this.full) throw new Error('there is no room for artifacts');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const storageKey = `${tenant}/${sha256}`;
    // Not `slice`: of a Buffer that is the same memory.
    this.stored.set(storageKey, new Uint8Array(bytes));
    return { storageKey, sizeBytes: bytes.length, sha256 };
  }

  async get(tenant: TenantId, storageKey: string): Promise<Uint8Array> {
    const bytes = this.stored.get(storageKey);
    if (!storageKey.startsWith(`${tenant}/`)) throw new Error(`${storageKey} is not of ${tenant}`);
    if (!bytes) throw new ArtifactLost('missing', `there is no ${storageKey}`);
    return bytes;
  }

  /** Forgets bytes, as a broken disk does. */
  lose(storageKey: string): void {
    this.stored.delete(storageKey);
  }

  /** The text under a key. */
  async text(tenant: TenantId, storageKey: string): Promise<string> {
    return new TextDecoder().decode(await this.get(tenant, storageKey));
  }
}
