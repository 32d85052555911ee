import { digestOf } from '@plinth/engine';
import { type AgentView, type DefinitionVersion, PlinthError, type TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { publishedAgent } from './agent-catalog.js';

/** Versions that are listed of one agent. */
const MOST_VERSIONS = 100;

interface Row {
  version: number;
  digest: string;
  publishedAt: Date;
  definition: string;
}

/** Reads the published agents of a tenant. */
export class AgentReader {
  constructor(private readonly database: TenantDatabase) {}

  /** The newest version of each agent, by key. The cursor is the key of the last item. */
  async list(
    tenant: TenantId,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<{ items: AgentView[]; nextCursor: string | null }> {
    const rows = await this.database.inTenant(
      tenant,
      WHOLE_TENANT,
      (tx) => tx.$queryRaw<Row[]>`
      SELECT DISTINCT ON (a.key COLLATE "C") v.version, v.digest, v.published_at AS "publishedAt", v.definition
        FROM agent a JOIN agent_version v ON v.tenant_id = a.tenant_id AND v.agent_id = a.id
       WHERE a.tenant_id = ${tenant} AND a.key COLLATE "C" > ${page.cursor ?? ''}
       ORDER BY a.key COLLATE "C", v.version DESC
       LIMIT ${page.limit + 1}`,
    );
    const items = rows.slice(0, page.limit).map(toView);
    return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null };
  }

  /**
   * One version of an agent, the newest unless one is named.
   *
   * @throws PlinthError not_found
   */
  async get(tenant: TenantId, key: string, version?: number): Promise<AgentView> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.agentVersion.findFirst({
        where: { tenantId: tenant, agent: { key }, ...(version === undefined ? {} : { version }) },
        orderBy: { version: 'desc' },
      }),
    );
    if (row === null) throw new PlinthError('not_found', 'There is no such agent, or no such version of it.');
    return toView(row);
  }

  /** The newest hundred versions of an agent, newest first. */
  async versions(tenant: TenantId, key: string): Promise<DefinitionVersion[]> {
    const rows = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.agentVersion.findMany({
        where: { tenantId: tenant, agent: { key } },
        orderBy: { version: 'desc' },
        take: MOST_VERSIONS,
        select: { version: true, digest: true, publishedAt: true },
      }),
    );
    return rows.map(({ publishedAt, ...row }) => ({ ...row, createdAt: publishedAt.toISOString() }));
  }
}

function toView({ version, digest, publishedAt, definition: text }: Row): AgentView {
  const { definition, tools } = publishedAgent.parse(JSON.parse(text));
  return {
    key: definition.key,
    version,
    digest,
    createdAt: publishedAt.toISOString(),
    definition,
    tools: tools.map((tool) => ({ key: tool.key, digest: digestOf(tool) })),
  };
}
