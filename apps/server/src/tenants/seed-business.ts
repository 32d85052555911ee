import { isDeepStrictEqual } from 'node:util';
import { PlinthError, type TenantId } from '@plinth/protocol';
import type { AgentPublisher } from '../agents/publish-agent.js';
import type { ApiKeys } from '../auth/api-keys.js';
import { SCOPE } from '../auth/principal.js';
import type { ConfigLayer } from '../config/effective-config.js';
import type { TenantConfigs } from '../config/tenant-configs.js';
import type { SkillRegistry } from '../skills/skill-registry.js';
import type { McpServers } from '../tools/mcp/mcp-servers.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type { Business } from './business-files.js';
import type { Tenants } from './tenants.js';

export interface SeedServices {
  tenants: Tenants;
  apiKeys: ApiKeys;
  tools: ToolRegistry;
  mcpServers: McpServers;
  skills: SkillRegistry;
  agents: AgentPublisher;
  configs: TenantConfigs;
}

/** It is the only key of a new business: for its back end, and for who operates it. */
const SEEDED_SCOPES = [SCOPE.runs, SCOPE.admin];
/** Names the key that the seed looks after: when another one is given, the one before is revoked. */
const SEEDED_KEY = 'seeded';
/** Who made a revision of the configuration that the seed may replace. */
const SEED_AUTHOR = 'seed';

/**
 * Puts a business into the database. Done again it adds nothing: what says the same already is left as it is,
 * and configuration that somebody has changed meanwhile is theirs. Returns what was done, a line each.
 *
 * @param apiKey null: no key is looked after; the tenant has its own, or gets one by the seed command
 * @throws PlinthError when something does not fit what is there
 */
export async function seedBusiness(
  services: SeedServices,
  business: Business,
  apiKey: string | null,
): Promise<string[]> {
  const { tenant, agents, tools, mcpServers, skills } = business;
  const { id, created } = await services.tenants.ensure(tenant);
  const done = [`tenant ${tenant.key}: ${created ? 'created' : 'there already'} (${id})`];
  if (apiKey !== null) done.push(await seedApiKey(services.apiKeys, id, apiKey));
  for (const tool of tools) {
    const { key, version, changed, warnings } = await services.tools.register(id, tool);
    done.push([`tool ${key}: version ${version}${changed ? '' : ', unchanged'}`, ...warnings].join('; '));
  }
  for (const { key, definition } of mcpServers) {
    const { server, changed } = await services.mcpServers.put(id, key, { definition, origin: 'operator' });
    done.push(`MCP server ${key}: revision ${server.revision}${changed ? '' : ', unchanged'}`);
  }
  for (const definition of skills) {
    const { skill, changed } = await services.skills.put(id, definition);
    done.push(`skill ${skill.key}: version ${skill.version}${changed ? '' : ', unchanged'}`);
  }
  for (const agent of agents) {
    const { key, version, changed } = await services.agents.publish(id, agent);
    done.push(`agent ${key}: version ${version}${changed ? '' : ', unchanged'}`);
  }
  done.push(await seedConfig(services.configs, id, tenant.config));
  return done;
}

async function seedApiKey(apiKeys: ApiKeys, tenant: TenantId, clear: string): Promise<string> {
  const found = await apiKeys.find(clear);
  if (found.ok && found.tenantId === tenant) return `API key ${found.apiKey.prefix}: there already`;
  if (found.ok || found.reason !== 'unknown') {
    const why = found.ok ? 'belongs to another tenant' : `is ${found.reason}`;
    throw new PlinthError('invalid_request', `The API key that was given ${why}. Give another one.`);
  }
  const before = (await apiKeys.list(tenant)).filter(
    ({ name, revokedAt }) => name === SEEDED_KEY && revokedAt === null,
  );
  const { prefix } = await apiKeys.register(tenant, clear, {
    name: SEEDED_KEY,
    scopes: SEEDED_SCOPES,
    expiresAt: null,
  });
  for (const { id } of before) await apiKeys.revoke(tenant, id);
  return `API key ${prefix}: registered${before.length > 0 ? ', the one before it revoked' : ''}`;
}

async function seedConfig(configs: TenantConfigs, tenant: TenantId, values: ConfigLayer): Promise<string> {
  const inForce = await configs.current(tenant);
  const isOurs = inForce.revision === 0 || inForce.author === SEED_AUTHOR;
  if (!isOurs) return `configuration: at revision ${inForce.revision}, left as it is`;
  if (inForce.revision > 0 && isDeepStrictEqual(inForce.values, values))
    return `configuration: revision ${inForce.revision}, unchanged`;
  const { revision } = await configs.change(tenant, {
    expectedRevision: inForce.revision,
    values,
    author: SEED_AUTHOR,
    reason: inForce.revision === 0 ? 'first configuration' : 'the files say something else now',
  });
  return `configuration: revision ${revision}`;
}
