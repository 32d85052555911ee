import { AgentPublisher } from '../agents/publish-agent.js';
import { ApiKeys } from '../auth/api-keys.js';
import { TenantConfigs } from '../config/tenant-configs.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { RandomIds } from '../platform/random-ids.js';
import { systemClock } from '../platform/system-clock.js';
import { SkillRegistry } from '../skills/skill-registry.js';
import { McpServers } from '../tools/mcp/mcp-servers.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import type { SeedServices } from './seed-business.js';
import { Tenants } from './tenants.js';

/** What puts a business into this database. */
export function servicesOn(database: TenantDatabase): SeedServices {
  const ids = new RandomIds(systemClock);
  return {
    tenants: new Tenants(database, systemClock, ids),
    apiKeys: new ApiKeys(database, systemClock, ids),
    tools: new ToolRegistry(database, systemClock, ids),
    mcpServers: new McpServers(database, systemClock),
    skills: new SkillRegistry(database, systemClock, ids),
    agents: new AgentPublisher(database, systemClock, ids),
    configs: new TenantConfigs(database, systemClock, {}),
  };
}
