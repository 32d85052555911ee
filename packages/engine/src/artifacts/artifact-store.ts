import type { TenantId } from '@plinth/protocol';

/** The bytes are not in the store any more, or are not those that were stored. Trying again does not bring them back. */
export class ArtifactLost extends Error {
  constructor(
    readonly code: 'missing' | 'damaged',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'ArtifactLost';
  }
}

/** The bytes of artifacts, under keys of their tenant. */
export interface ArtifactStore {
  /**
   * Stores bytes under their own hash, with which the key ends; storing the same bytes twice keeps one copy.
   *
   * @throws Error when they cannot be stored; they may be there then, or not
   */
  put(
    tenant: TenantId,
    bytes: Uint8Array,
  ): Promise<{ storageKey: string; sizeBytes: number; sha256: string }>;
  /** @throws ArtifactLost when nothing (good) is under the key; Error when it belongs to another tenant. */
  get(tenant: TenantId, storageKey: string): Promise<Uint8Array>;
  /**
   * Deletes bytes, unless they were stored (again) at this time or later: whoever has just stored them counts on them. Bytes
   * that are not there are as good as deleted.
   *
   * @param storedBefore milliseconds
   * @returns whether there is nothing under the key now
   * @throws Error when it belongs to another tenant, or when the store cannot tell
   */
  remove(tenant: TenantId, storageKey: string, storedBefore: number): Promise<boolean>;
}
