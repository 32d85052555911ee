import type { AttachmentSource, FoundAttachment, StoredFile } from '@plinth/engine';
import {
  type ArtifactId,
  type AttachmentInput,
  artifactKind,
  type EndUserId,
  type ErrorCode,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ImageImporter } from '../images/image-importer.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { artifactInTree, sharedMessages } from '../runs/postgres-thread-tree.js';
import type { Uploads } from './uploads.js';

type ArtifactFile = StoredFile & { id: ArtifactId };

/** What goes with a message, from where it is stored: as the end user whose message it is. */
export class StoredAttachments implements AttachmentSource {
  constructor(
    private readonly database: TenantDatabase,
    private readonly uploads: Uploads,
    private readonly pictures: Pick<ImageImporter, 'importUrl'>,
  ) {}

  async find(
    tenant: TenantId,
    { endUserId, threadId }: { endUserId: EndUserId; threadId: ThreadId | null },
    inputs: readonly AttachmentInput[],
  ): Promise<FoundAttachment[]> {
    const uploadIds = inputs.flatMap((input) => ('uploadId' in input ? [input.uploadId] : []));
    const artifactIds = inputs.flatMap((input) => ('artifactId' in input ? [input.artifactId] : []));
    const [uploads, artifacts] = await Promise.all([
      this.uploads.find(tenant, { endUserId }, uploadIds),
      this.#artifacts(tenant, endUserId, threadId, artifactIds),
    ]);
    const stored = inputs.map((input, index): FoundAttachment | { url: string } => {
      if ('url' in input) return input;
      if ('uploadId' in input) {
        const file = uploads.get(input.uploadId);
        if (file) return { file, artifactId: null };
        throw notFound(`${index}.uploadId`, 'is no upload of this end user from the last 24 hours');
      }
      const file = artifacts.get(input.artifactId);
      if (file) return { file, artifactId: input.artifactId as ArtifactId };
      throw notFound(`${index}.artifactId`, 'is no artifact of this thread');
    });
    // Only when all else is there. The first that fails gives up the others.
    const stop = new AbortController();
    const found = stored.map(async (one, index) =>
      'url' in one ? this.#fetch(tenant, one.url, `${index}.url`, stop.signal) : one,
    );
    try {
      return await Promise.all(found);
    } finally {
      stop.abort();
      await Promise.allSettled(found);
    }
  }

  async #fetch(tenant: TenantId, url: string, field: string, signal: AbortSignal): Promise<FoundAttachment> {
    const fetched = await this.pictures.importUrl(tenant, url, signal);
    if (fetched.ok) return { file: { kind: 'image', ...fetched.image }, artifactId: null };
    const { code, message } = fetched.failure;
    if (code === 'too_large') throw refused('attachment_too_large', field, message, 'Send a smaller one.');
    throw refused(
      'attachment_not_fetched',
      field,
      message,
      'Name another address, or upload the picture.',
      code,
    );
  }

  async #artifacts(
    tenant: TenantId,
    endUserId: EndUserId,
    threadId: ThreadId | null,
    ids: readonly string[],
  ): Promise<Map<string, StoredFile>> {
    if (threadId === null || ids.length === 0) return new Map();
    const [rows = []] = await this.database.send(tenant, { endUserId }, [
      Prisma.sql`
        WITH RECURSIVE ${sharedMessages(tenant, threadId)}
        SELECT a.id, a.title, a.kind, a.mime_type AS "mimeType", a.storage_key AS "storageKey",
               a.size_bytes AS "sizeBytes", a.sha256
          FROM artifact a
         WHERE a.tenant_id = ${tenant} AND a.id = ANY(${[...ids]}) AND a.end_user_id = ${endUserId}
           AND ${artifactInTree(threadId)}`,
    ]);
    const found = rows as unknown as ArtifactFile[];
    return new Map(found.map(({ id, kind, ...file }) => [id, { ...file, kind: artifactKind.parse(kind) }]));
  }
}

const notFound = (field: string, message: string): PlinthError =>
  refused('attachment_not_found', field, `${message}.`, 'Upload it anew, or leave it out.');

/** @param field within the attachments */
function refused(
  code: ErrorCode,
  field: string,
  message: string,
  advice: string,
  reason: string | null = null,
): PlinthError {
  const path = `input.attachments.${field}`;
  const facts = reason === null ? {} : { reason };
  return new PlinthError(code, `${path}: ${message} ${advice}`, facts, [{ path, message }]);
}
