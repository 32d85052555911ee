import type { Viewer } from '@plinth/engine';
import {
  type ArtifactId,
  type ArtifactVersionView,
  type ArtifactView,
  type Page,
  PlinthError,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { type Artifact, type ArtifactVersion, Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { artifactInTree, sharedMessages } from '../runs/postgres-thread-tree.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { type PageQuery, threadNotFound } from '../threads/thread-reader.js';
import { toArtifactView, toVersionView } from './artifact-row.js';
import type { ServedArtifact } from './content-headers.js';

/** Read model of artifacts. What the viewer may not see is not there. */
export class ArtifactReader {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * @param version left out: the newest
   * @throws PlinthError `not_found`, also for a version that there is not
   */
  async get(tenant: TenantId, viewer: Viewer, id: ArtifactId, version?: number): Promise<ArtifactView> {
    const { row, at } = await this.#rows(tenant, viewer, id, version);
    return toArtifactView(row, at);
  }

  /**
   * Where the bytes of one version are and how they are to be served, for a signed URL: whoever made it was allowed to
   * see the artifact.
   *
   * @param version left out: the newest
   * @throws PlinthError `not_found`
   */
  async stored(
    tenant: TenantId,
    id: ArtifactId,
    version?: number,
  ): Promise<ServedArtifact & { storageKey: string }> {
    const { at } = await this.#rows(tenant, WHOLE_TENANT, id, version);
    const { title, mimeType, sizeBytes, sha256, storageKey } = at;
    return { title, mimeType, sizeBytes, sha256, storageKey };
  }

  /**
   * All versions, newest first. The cursor is the number of the last one of the page before.
   *
   * @throws PlinthError `not_found`
   */
  async versions(
    tenant: TenantId,
    viewer: Viewer,
    id: ArtifactId,
    { cursor, limit }: PageQuery,
  ): Promise<Page<ArtifactVersionView>> {
    const before = Number(cursor ?? Number.NaN);
    const rows = await this.database.inTenant(tenant, viewer, (tx) =>
      tx.artifactVersion.findMany({
        where: {
          tenantId: tenant,
          artifactId: id,
          ...(Number.isSafeInteger(before) ? { version: { lt: before } } : {}),
        },
        orderBy: { version: 'desc' },
        take: limit + 1,
      }),
    );
    // An artifact has at least one version: without a cursor, none means that it is not there.
    if (rows.length === 0 && cursor === undefined) throw artifactNotFound(id);
    const items = rows.slice(0, limit).map(toVersionView);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > limit && last ? String(last.version) : null };
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
      items: items.map((row) => toArtifactView(row)),
      nextCursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null,
    };
  }

  async #rows(
    tenant: TenantId,
    viewer: Viewer,
    id: ArtifactId,
    version: number | undefined,
  ): Promise<{ row: Artifact; at: Artifact | ArtifactVersion }> {
    return this.database.inTenant(tenant, viewer, async (tx) => {
      const row = await tx.artifact.findUnique({ where: { tenantId_id: { tenantId: tenant, id } } });
      if (row === null) throw artifactNotFound(id);
      if (version === undefined || version === row.version) return { row, at: row };
      const key = { tenantId: tenant, artifactId: id, version };
      const at = await tx.artifactVersion.findUnique({ where: { tenantId_artifactId_version: key } });
      if (at === null) throw artifactNotFound(id);
      return { row, at };
    });
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

/** What the viewer may not see is not there either. */
export function artifactNotFound(artifactId: ArtifactId): PlinthError {
  return new PlinthError('not_found', 'There is no such artifact.', { artifactId });
}
