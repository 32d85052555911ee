import type { AgentCatalog, AgentVersion } from '@plinth/engine';
import {
  type AgentVersionId,
  agentDefinition,
  pinnedSkill,
  type TenantId,
  toolDefinition,
} from '@plinth/protocol';
import { z } from 'zod';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { LruCache } from './lru-cache.js';

/** What the row of a version holds as text: the agent, its tools and skills as they were when published. */
export const publishedAgent = z.object({
  definition: agentDefinition,
  tools: z.array(toolDefinition),
  skills: z.array(pinnedSkill).default([]),
});
export type PublishedAgent = z.infer<typeof publishedAgent>;

const CACHED_VERSIONS = 500;

/** Agent versions from Postgres. A version never changes, so one that was read is kept. */
export class PrismaAgentCatalog implements AgentCatalog {
  readonly #versions = new LruCache<AgentVersion>(CACHED_VERSIONS);

  constructor(private readonly database: TenantDatabase) {}

  async version(tenant: TenantId, id: AgentVersionId): Promise<AgentVersion> {
    const key = `${tenant}/${id}`;
    const cached = this.#versions.get(key);
    if (cached !== undefined) return cached;
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.agentVersion.findUnique({ where: { tenantId_id: { tenantId: tenant, id } } }),
    );
    if (row === null) throw new Error(`agent version ${id} is not there`);
    const { definition, tools, skills } = publishedAgent.parse(JSON.parse(row.definition));
    const version: AgentVersion = { id, version: row.version, definition, tools, skills };
    this.#versions.set(key, version);
    return version;
  }

  async newest(tenant: TenantId, key: string): Promise<AgentVersion | null> {
    const row = await this.database.sendOne<{ id: AgentVersionId }>(
      tenant,
      WHOLE_TENANT,
      Prisma.sql`
      SELECT v.id FROM agent a JOIN agent_version v ON v.tenant_id = a.tenant_id AND v.agent_id = a.id
       WHERE a.tenant_id = ${tenant} AND a.key = ${key}
       ORDER BY v.version DESC LIMIT 1`,
    );
    return row === undefined ? null : this.version(tenant, row.id);
  }
}
