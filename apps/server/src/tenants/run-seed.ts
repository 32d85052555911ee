import { PlinthError } from '@plinth/protocol';
import { AgentPublisher } from '../agents/publish-agent.js';
import { parseApiKey } from '../auth/api-key.js';
import { ApiKeys } from '../auth/api-keys.js';
import { TenantConfigs } from '../config/tenant-configs.js';
import { TenantDatabase } from '../platform/database/tenant-database.js';
import { RandomIds } from '../platform/random-ids.js';
import { systemClock } from '../platform/system-clock.js';
import { SkillRegistry } from '../skills/skill-registry.js';
import { McpServers } from '../tools/mcp/mcp-servers.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { type Business, readBusinessFiles } from './business-files.js';
import { type SeedServices, seedBusiness } from './seed-business.js';
import { Tenants } from './tenants.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What to print, and whether it went wrong. */
export interface SeedReport {
  lines: string[];
  failed: boolean;
}

/** The seed command without its process: reads the environment and the files, tells every problem at once. */
export async function runSeed(directory: string | undefined, variables: Variables): Promise<SeedReport> {
  const { DATABASE_APP_URL: url = '', PLINTH_DEMO_API_KEY: apiKey = '' } = variables;
  const files = directory === undefined ? null : await readBusinessFiles(directory, variables);
  const problems = [
    ...(files === null ? ['name the directory with tenant.json, agent.json and tools/'] : []),
    ...(URL.canParse(url) ? [] : ['DATABASE_APP_URL must be the Postgres URL of the app role']),
    ...(parseApiKey(apiKey)
      ? []
      : ['PLINTH_DEMO_API_KEY must look like plk_<4 to 16 letters or digits>_<32 to 128 characters>']),
    ...(files === null || files.ok ? [] : files.problems),
  ];
  if (problems.length > 0 || files === null || !files.ok) {
    return {
      failed: true,
      lines: ['The business was not seeded:', ...problems.map((problem) => `  - ${problem}`)],
    };
  }
  return seedInto(url, files.business, apiKey);
}

async function seedInto(url: string, business: Business, apiKey: string): Promise<SeedReport> {
  const database = new TenantDatabase({ url, poolSize: 2 });
  try {
    await database.assertSafeRole();
    return { failed: false, lines: await seedBusiness(servicesOn(database), business, apiKey) };
  } catch (error) {
    return { failed: true, lines: ['The business was not seeded:', `  - ${messageOf(error)}`] };
  } finally {
    await database.close();
  }
}

function servicesOn(database: TenantDatabase): SeedServices {
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

function messageOf(error: unknown): string {
  if (PlinthError.isInstance(error)) return error.message;
  if (!(error instanceof Error)) return String(error);
  // The first lines of the driver's errors quote code; the last one says what happened.
  return error.message.trim().split('\n').at(-1)?.trim() ?? error.name;
}
