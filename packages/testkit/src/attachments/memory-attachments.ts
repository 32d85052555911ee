import type { AttachmentSource, FoundAttachment, StoredFile } from '@plinth/engine';
import {
  type ArtifactId,
  type AttachmentInput,
  type EndUserId,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { MemoryLedger } from '../ledger/memory-ledger.js';

/** What goes with messages, without a database and without a network: an address is known or not. */
export class MemoryAttachments implements AttachmentSource {
  private readonly uploads: { tenant: TenantId; endUserId: EndUserId; id: string; file: StoredFile }[] = [];
  /** Pictures by address. */
  readonly pictures = new Map<string, StoredFile>();

  constructor(private readonly ledger: Pick<MemoryLedger, 'artifactsOf'>) {}

  upload(tenant: TenantId, endUserId: EndUserId, file: StoredFile): string {
    const id = `upl_${this.uploads.length + 1}`;
    this.uploads.push({ tenant, endUserId, id, file });
    return id;
  }

  async find(
    tenant: TenantId,
    { endUserId, threadId }: { endUserId: EndUserId; threadId: ThreadId | null },
    inputs: readonly AttachmentInput[],
  ): Promise<FoundAttachment[]> {
    const artifacts = threadId === null ? [] : await this.ledger.artifactsOf(tenant, threadId);
    return inputs.map((input, index) => {
      const path = `input.attachments.${index}.${Object.keys(input)[0]}`;
      const refuse = (code: 'attachment_not_found' | 'attachment_not_fetched') =>
        new PlinthError(code, `${path}: not there`, {}, [{ path, message: 'not there' }]);
      if ('url' in input) {
        const file = this.pictures.get(input.url);
        if (file === undefined) throw refuse('attachment_not_fetched');
        return { file, artifactId: null };
      }
      if ('uploadId' in input) {
        const found = this.uploads.find(
          (one) => one.tenant === tenant && one.endUserId === endUserId && one.id === input.uploadId,
        );
        if (found === undefined) throw refuse('attachment_not_found');
        return { file: found.file, artifactId: null };
      }
      const found = artifacts.find((one) => one.id === input.artifactId && one.endUserId === endUserId);
      if (found === undefined) throw refuse('attachment_not_found');
      const { title, kind, mimeType, storageKey, sizeBytes, sha256 } = found;
      return {
        file: { title, kind, mimeType, storageKey, sizeBytes, sha256 },
        artifactId: found.id as ArtifactId,
      };
    });
  }
}
