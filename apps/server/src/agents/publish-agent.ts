import { type Clock, canLoadSkills, digestOf, type IdSource } from '@plinth/engine';
import {
  type AgentDefinition,
  type AgentVersionId,
  type FieldError,
  mcpServerDefinition,
  type PinnedSkill,
  PlinthError,
  type TenantId,
  type ToolDefinition,
} from '@plinth/protocol';
import type { TenantDatabase, TenantTransaction } from '../platform/database/tenant-database.js';
import { newestSkills } from '../skills/skill-registry.js';
import { sentenceOf } from '../tenants/field-errors.js';
import { lockInTenant } from '../tenants/lock-in-tenant.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';

import { directoryTools, isDirectoryKey } from '../tools/mcp/mcp-directory.js';
import { newestTools } from '../tools/tool-registry.js';
import type { PublishedAgent } from './agent-catalog.js';
import { checkAgent } from './check-agent.js';

export interface PublishedVersion {
  id: AgentVersionId;
  key: string;
  version: number;
  /** False when the newest version says the same already. */
  changed: boolean;
}

/**
 * Publishes agents. A version holds the agent with the newest definitions of its tools and skills, so that a run which
 * is pinned to it goes on as it began whatever is registered later.
 */
export class AgentPublisher {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws PlinthError `invalid_request`, naming each field: unknown tools and skills and invalid settings included */
  async publish(tenant: TenantId, raw: unknown): Promise<PublishedVersion> {
    const checked = checkAgent(raw);
    if (!checked.ok) return refuse(checked.fields);
    const definition = checked.agent;
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      await lockInTenant(tx, tenant, `agent ${definition.key}`);
      const tools = [
        ...(await toolsOf(tx, tenant, definition)),
        ...(await directoryOf(tx, tenant, definition)),
      ];
      const skills = await skillsOf(tx, tenant, definition, tools);
      const published: PublishedAgent = { definition, tools, skills };
      return this.#addVersion(tx, tenant, published);
    });
  }

  async #addVersion(
    tx: TenantTransaction,
    tenant: TenantId,
    published: PublishedAgent,
  ): Promise<PublishedVersion> {
    const { key } = published.definition;
    const digest = digestOf(published);
    const agentId = await this.#agentId(tx, tenant, key);
    const newest = await tx.agentVersion.findFirst({
      where: { tenantId: tenant, agentId },
      orderBy: { version: 'desc' },
      select: { id: true, version: true, digest: true },
    });
    if (newest?.digest === digest)
      return { id: newest.id as AgentVersionId, key, version: newest.version, changed: false };
    const id = this.ids.next('agentVersion') as AgentVersionId;
    const version = (newest?.version ?? 0) + 1;
    await tx.agentVersion.create({
      data: {
        tenantId: tenant,
        id,
        agentId,
        version,
        definition: JSON.stringify(published),
        digest,
        publishedAt: new Date(this.clock.now()),
      },
    });
    return { id, key, version, changed: true };
  }

  async #agentId(tx: TenantTransaction, tenant: TenantId, key: string): Promise<string> {
    const found = await tx.agent.findUnique({
      where: { tenantId_key: { tenantId: tenant, key } },
      select: { id: true },
    });
    if (found !== null) return found.id;
    const id = this.ids.next('agent');
    await tx.agent.create({ data: { tenantId: tenant, id, key, createdAt: new Date(this.clock.now()) } });
    return id;
  }
}

async function toolsOf(
  tx: TenantTransaction,
  tenant: TenantId,
  definition: AgentDefinition,
): Promise<ToolDefinition[]> {
  const newest = await newestTools(tx, tenant, definition.tools);
  const missing = definition.tools.flatMap((key, index) =>
    newest.has(key)
      ? []
      : [{ path: `tools.${index}`, message: `there is no tool "${key}"; register it first` }],
  );
  if (missing.length > 0) return refuse(missing);
  return definition.tools.flatMap((key) => newest.get(key) ?? []);
}

/** The tools with which the model finds those of the agent's MCP servers. */
async function directoryOf(
  tx: TenantTransaction,
  tenant: TenantId,
  { mcp = [], tools }: AgentDefinition,
): Promise<ToolDefinition[]> {
  if (mcp.length === 0) return [];
  const keys = mcp.map(({ server }) => server);
  const rows = await tx.mcpServer.findMany({ where: { tenantId: tenant, key: { in: keys } } });
  const servers = new Map(rows.map(({ key, definition }) => [key, definition]));
  const fields = [
    ...mcp.flatMap(({ server }, index) =>
      servers.has(server)
        ? []
        : [{ path: `mcp.${index}.server`, message: `there is no MCP server "${server}"; register it first` }],
    ),
    ...tools.flatMap((key, index) =>
      isDirectoryKey(key)
        ? [{ path: `tools.${index}`, message: 'is taken by the directory of MCP servers' }]
        : [],
    ),
  ];
  if (fields.length > 0) return refuse(fields);
  return directoryTools(
    mcp.map((use) => ({
      ...use,
      description: mcpServerDefinition.parse(JSON.parse(servers.get(use.server) ?? '')).description,
    })),
  );
}

async function skillsOf(
  tx: TenantTransaction,
  tenant: TenantId,
  { skills: keys }: AgentDefinition,
  tools: readonly ToolDefinition[],
): Promise<PinnedSkill[]> {
  if (keys.length === 0) return [];
  if (!canLoadSkills(tools))
    return refuse([
      { path: 'skills', message: 'needs a tool with the builtin "load_skill" among the tools' },
    ]);
  const newest = await newestSkills(tx, tenant, keys);
  const missing = keys.flatMap((key, index) =>
    newest.has(key) ? [] : [{ path: `skills.${index}`, message: `there is no skill "${key}"; put it first` }],
  );
  if (missing.length > 0) return refuse(missing);
  return keys.flatMap((key) => newest.get(key) ?? []);
}

function refuse(fields: FieldError[]): never {
  throw new PlinthError('invalid_request', `The agent was not published. ${sentenceOf(fields)}.`, {}, fields);
}
