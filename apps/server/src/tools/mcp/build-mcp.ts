import type { ArtifactStore, Clock, IdSource, ToolExecutor } from '@plinth/engine';
import type { Logger } from 'pino';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import type { OutboundPolicies } from '../../platform/outbound/outbound-client.js';
import type { TenantSecrets } from '../../secrets/tenant-secrets.js';
import { ToolRegistry } from '../tool-registry.js';
import { guardedCarrier } from './guarded-fetch.js';
import { McpImporter } from './import-mcp-tools.js';
import { McpDirectoryExecutor } from './mcp-directory-executor.js';
import { McpExecutor } from './mcp-executor.js';
import { McpFailure } from './mcp-failure.js';
import { McpPools } from './mcp-pools.js';
import { McpServers } from './mcp-servers.js';
import { McpToolLists } from './mcp-tool-lists.js';

const SECRET = /\{\{secrets\.([A-Za-z][A-Za-z0-9_]*)\}\}/g;

/** All that this process has of MCP: the registrations, their connections, and what calls their tools. */
export function buildMcp(ports: {
  database: TenantDatabase;
  clock: Clock;
  ids: IdSource;
  artifacts: ArtifactStore;
  secrets: TenantSecrets;
  policies: OutboundPolicies;
  logger: Logger;
}) {
  const { database, clock, ids, artifacts, secrets, policies, logger } = ports;
  const servers = new McpServers(database, clock);
  const pools = new McpPools({
    clock,
    async fillIn(tenant, text) {
      const names = [...text.matchAll(SECRET)].map(([, name = '']) => name);
      const { values, missing, unreadable } = await secrets.reveal(tenant, names);
      const [lacking] = [...missing, ...unreadable];
      if (lacking !== undefined)
        throw new McpFailure('unavailable', `needs the secret "${lacking}", which is not set`);
      return text.replace(SECRET, (_all, name: string) => values.get(name) ?? '');
    },
    carrierFor: (tenant) => guardedCarrier(policies, tenant),
    onProblem: (tenant, server, error, errorOutput) =>
      logger.warn({ err: error, tenant, server, errorOutput }, 'an MCP server could not be reached'),
  });
  const lists = new McpToolLists(pools, clock);
  const registry = new ToolRegistry(database, clock, ids);
  const calls = new McpExecutor(servers, pools, artifacts);
  const directory = new McpDirectoryExecutor(servers, lists);
  const executor: ToolExecutor = {
    execute: (tenant, invocation, signal) =>
      invocation.tool.executor.kind === 'mcp_directory'
        ? directory.execute(tenant, invocation, signal)
        : calls.execute(tenant, invocation, signal),
  };
  return {
    servers,
    pools,
    importer: new McpImporter(servers, lists, registry, database),
    executor,
  };
}
