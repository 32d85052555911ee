import { createHash } from 'node:crypto';
import { ArtifactLost, type ArtifactStore, type Clock } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';

/** The bytes of artifacts without a disk. */
export class MemoryArtifactStore implements ArtifactStore {
  private readonly stored = new Map<string, { bytes: Uint8Array; at: number }>();
  /** Set to make every `put` fail, as a full disk does. */
  full = false;

  constructor(private readonly clock: Pick<Clock, 'now'> = { now: Date.now }) {}

  async put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }> {
    if (this.full) throw new Error('there is no room for artifacts');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const storageKey = `${tenant}/${sha256}`;
    // Not `slice`: of a Buffer that is the same memory.
    this.stored.set(storageKey, { bytes: new Uint8Array(bytes), at: this.clock.now() });
    return { storageKey, sizeBytes: bytes.length, sha256 };
  }

  async get(tenant: TenantId, storageKey: string): Promise<Uint8Array> {
    const found = this.stored.get(storageKey);
    assertOf(tenant, storageKey);
    if (!found) throw new ArtifactLost('missing', `there is no ${storageKey}`);
    return found.bytes;
  }

  async remove(tenant: TenantId, storageKey: string, storedBefore: number): Promise<boolean> {
    assertOf(tenant, storageKey);
    const found = this.stored.get(storageKey);
    if (found !== undefined && found.at >= storedBefore) return false;
    this.stored.delete(storageKey);
    return true;
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

function assertOf(tenant: TenantId, storageKey: string): void {
  if (!storageKey.startsWith(`${tenant}/`)) throw new Error(`${storageKey} is not of ${tenant}`);
}
