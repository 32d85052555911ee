import type { Clock, IdSource, StoredFile, Viewer } from '@plinth/engine';
import { artifactKind, type EndUserId, type TenantId, type UploadView } from '@plinth/protocol';
import type { Upload } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { storable } from '../runs/postgres-write-rows.js';

/** Milliseconds that an upload may go with a message. */
export const UPLOAD_LIFE_MS = 24 * 60 * 60 * 1000;

/** The rows of files that people have given and that no message has taken yet, each its end user's own. */
export class Uploads {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** Notes a file whose bytes are stored. */
  async add(tenant: TenantId, endUserId: EndUserId, file: StoredFile): Promise<UploadView> {
    const row = await this.database.inTenant(tenant, { endUserId }, (tx) =>
      tx.upload.create({
        data: {
          ...file,
          title: storable(file.title),
          tenantId: tenant,
          endUserId,
          id: this.ids.next('upload'),
          createdAt: new Date(this.clock.now()),
        },
      }),
    );
    return toUploadView(row);
  }

  /** Those of these ids that are there, not a day old, and the viewer's. */
  async find(tenant: TenantId, viewer: Viewer, ids: readonly string[]): Promise<Map<string, StoredFile>> {
    if (ids.length === 0) return new Map();
    const createdAt = { gt: this.#oldest() };
    const rows = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.upload.findMany({ where: { tenantId: tenant, id: { in: [...ids] }, createdAt } }),
    );
    return new Map(rows.map((row) => [row.id, toFile(row)]));
  }

  #oldest(): Date {
    return new Date(this.clock.now() - UPLOAD_LIFE_MS);
  }
}

function toFile({ title, kind, mimeType, storageKey, sizeBytes, sha256 }: Upload): StoredFile {
  return { title, kind: artifactKind.parse(kind), mimeType, storageKey, sizeBytes, sha256 };
}

function toUploadView(row: Upload): UploadView {
  const { storageKey: _storageKey, ...file } = toFile(row);
  return { id: row.id, ...file, createdAt: row.createdAt.toISOString() };
}
