import type { ArtifactStore } from '@plinth/engine';
import type { EndUserId, TenantId, UploadView } from '@plinth/protocol';
import { detectArtifact } from '../artifacts/detect-artifact.js';
import type { Uploads } from './uploads.js';

export interface GivenFile {
  bytes: Uint8Array;
  title: string;
  /** What the sender says it is. */
  contentType: string | undefined;
}

/** Stores a file that an end user has given. What it is, is told by its bytes. */
export async function keepUpload(
  store: ArtifactStore,
  uploads: Uploads,
  { tenant, endUserId }: { tenant: TenantId; endUserId: EndUserId },
  { bytes, title, contentType }: GivenFile,
): Promise<UploadView> {
  const { kind, mimeType } = await detectArtifact(bytes, { name: title, contentType });
  return uploads.add(tenant, endUserId, { title, kind, mimeType, ...(await store.put(tenant, bytes)) });
}
