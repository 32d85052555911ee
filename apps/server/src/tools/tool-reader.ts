import {
  type DefinitionVersion,
  PlinthError,
  type TenantId,
  type ToolView,
  toolDefinition,
} from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

/** Versions that are listed of one tool. */
const MOST_VERSIONS = 100;

interface Row {
  key: string;
  version: number;
  digest: string;
  createdAt: Date;
  definition: string;
}

/** Reads the tools of a tenant. */
export class ToolReader {
  constructor(private readonly database: TenantDatabase) {}

  /** The newest version of each tool, by key. The cursor is the key of the last item. */
  async list(
    tenant: TenantId,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<{ items: ToolView[]; nextCursor: string | null }> {
    const rows = await this.database.inTenant(
      tenant,
      WHOLE_TENANT,
      (tx) => tx.$queryRaw<Row[]>`
      SELECT DISTINCT ON (key COLLATE "C") key, version, digest, created_at AS "createdAt", definition FROM tool
       WHERE tenant_id = ${tenant} AND key COLLATE "C" > ${page.cursor ?? ''}
       ORDER BY key COLLATE "C", version DESC
       LIMIT ${page.limit + 1}`,
    );
    const items = rows.slice(0, page.limit).map(toView);
    return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null };
  }

  /**
   * One version of a tool, the newest unless one is named.
   *
   * @throws PlinthError not_found
   */
  async get(tenant: TenantId, key: string, version?: number): Promise<ToolView> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tool.findFirst({
        where: { tenantId: tenant, key, ...(version === undefined ? {} : { version }) },
        orderBy: { version: 'desc' },
      }),
    );
    if (row === null) throw new PlinthError('not_found', 'There is no such tool, or no such version of it.');
    return toView(row);
  }

  /** The newest hundred versions of a tool, newest first. */
  async versions(tenant: TenantId, key: string): Promise<DefinitionVersion[]> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.tool.findMany({
        where: { tenantId: tenant, key },
        orderBy: { version: 'desc' },
        take: MOST_VERSIONS,
        select: { version: true, digest: true, createdAt: true },
      }),
    );
    return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  }
}

function toView({ key, version, digest, createdAt, definition }: Row): ToolView {
  return {
    key,
    version,
    digest,
    createdAt: createdAt.toISOString(),
    definition: toolDefinition.parse(JSON.parse(definition)),
  };
}
