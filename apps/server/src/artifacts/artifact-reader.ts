import type { Viewer } from '@plinth/engine';
import {
  type ArtifactId,
  type ArtifactView,
  artifactKind,
  openPolicy,
  type Page,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { type Artifact as ArtifactRow, Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { artifactInTree, sharedMessages } from '../runs/postgres-thread-tree.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { type PageQuery, threadNotFound } from '../threads/thread-reader.js';
import type { ServedArtifact } from './content-headers.js';

/** Read model of artifacts. What the viewer may not see is not there. */
export class ArtifactReader {
  constructor(private readonly database: TenantDatabase) {}

  /** @throws PlinthError `not_found` */
  async get(tenant: TenantId, viewer: Viewer, id: ArtifactId): Promise<ArtifactView> {
    return toArtifactView(await this.#row(tenant, viewer, id));
  }

  /**
   * Where an artifact's bytes are and how they are to be served, for a signed URL: whoever made it was allowed
   * to see the artifact. With a version, only of that one.
   *
   * @throws PlinthError `not_found`
   */
  async stored(
    tenant: TenantId,
    id: ArtifactId,
    version?: number,
  ): Promise<ServedArtifact & { storageKey: string }> {
    const row = await this.#row(tenant, WHOLE_TENANT, id);
    if (version !== undefined && row.version !== version) throw notFound(id);
    const { title, mimeType, sizeBytes, sha256, storageKey } = row;
    return { title, mimeType, sizeBytes, sha256, storageKey };
  }

  /**
   * Those of a thread, newest first; of a fork also those of the runs that it shares. The cursor is the id of the last
   * one of the page before: ids sort by the time they were made.
   *
   * @throws PlinthError `not_found` for the thread
   */
  async list(
    tenant: TenantId,
    viewer: Viewer,
    threadId: ThreadId,
    query: PageQuery,
  ): Promise<Page<ArtifactView>> {
    const rows = await this.database.inTenant(tenant, viewer, async (tx) => {
      const thread = await tx.thread.findUnique({
        where: { tenantId_id: { tenantId: tenant, id: threadId } },
        select: { forkedFromId: true },
      });
      if (thread === null) throw threadNotFound(threadId);
      const before = query.cursor === undefined ? {} : { lt: query.cursor };
      const listed =
        thread.forkedFromId === null
          ? { threadId, id: before }
          : { id: { in: await listFork(tx, tenant, threadId, query) } };
      return tx.artifact.findMany({
        where: { tenantId: tenant, ...listed },
        orderBy: { id: 'desc' },
        take: query.limit + 1,
      });
    });
    const items = rows.slice(0, query.limit);
    return {
      items: items.map(toArtifactView),
      nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null,
    };
  }

  async #row(tenant: TenantId, viewer: Viewer, id: ArtifactId): Promise<ArtifactRow> {
    const row = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.artifact.findUnique({ where: { tenantId_id: { tenantId: tenant, id } } }),
    );
    if (row === null) throw notFound(id);
    return row;
  }
}

/** Ids of the page of a fork, and of one more: what was made in it, and what the runs on its shared path made. */
async function listFork(
  tx: TenantTransaction,
  tenant: TenantId,
  threadId: ThreadId,
  { cursor, limit }: PageQuery,
): Promise<string[]> {
  const before = cursor === undefined ? Prisma.empty : Prisma.sql`AND a.id < ${cursor}`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE ${sharedMessages(tenant, threadId)}
    SELECT a.id FROM artifact a
     WHERE a.tenant_id = ${tenant}
       AND ${artifactInTree(threadId)}
       ${before}
     ORDER BY a.id DESC LIMIT ${limit + 1}`;
  return rows.map(({ id }) => id);
}

function notFound(artifactId: ArtifactId): PlinthError {
  return new PlinthError('not_found', 'There is no such artifact.', { artifactId });
}

function toArtifactView(row: ArtifactRow): ArtifactView {
  return {
    id: row.id,
    threadId: row.threadId,
    runId: row.runId,
    callId: row.callId,
    kind: artifactKind.parse(row.kind),
    mimeType: row.mimeType,
    title: row.title,
    version: row.version,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    open: openPolicy.parse(row.open),
    createdAt: row.createdAt.toISOString(),
  };
}
