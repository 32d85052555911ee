import type { TenantId } from '@plinth/protocol';

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
  /** @throws Error when the key is not there or belongs to another tenant. */
  get(tenant: TenantId, storageKey: string): Promise<Uint8Array>;
}
