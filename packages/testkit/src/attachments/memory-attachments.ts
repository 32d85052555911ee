import type { AttachmentSource, Clock, FoundAttachment, StoredFile } from '@plinth/engine';
import {
  type ArtifactId,
  type AttachmentInput,
  type EndUserId,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { MemoryLedger } from '../ledger/memory-ledger.js';

/** Milliseconds that an upload may go with a message. */
const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;

interface UploadRow {
  tenant: TenantId;
  endUserId: EndUserId;
  id: string;
  file: StoredFile;
  createdAt: number;
}

/** What goes with messages, without a database and without a network: an address is known or not. */
export class MemoryAttachments implements AttachmentSource {
  private readonly uploads: UploadRow[] = [];
  /** Pictures by address. */
  readonly pictures = new Map<string, StoredFile>();

  constructor(
    private readonly ledger: Pick<MemoryLedger, 'artifactsInTree'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  upload(tenant: TenantId, endUserId: EndUserId, file: StoredFile): string {
    const id = `upl_${this.uploads.length + 1}`;
    this.uploads.push({ tenant, endUserId, id, file, createdAt: this.clock.now() });
    return id;
  }

  async find(
    tenant: TenantId,
    { endUserId, threadId }: { endUserId: EndUserId; threadId: ThreadId | null },
    inputs: readonly AttachmentInput[],
  ): Promise<FoundAttachment[]> {
    const artifacts = threadId === null ? [] : await this.ledger.artifactsInTree(tenant, threadId);
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
        const oldest = this.clock.now() - UPLOAD_LIFE_MS;
        const found = this.uploads.find(
          (one) =>
            one.tenant === tenant &&
            one.endUserId === endUserId &&
            one.id === input.uploadId &&
            one.createdAt > oldest,
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
