import type { ArtifactStore, Clock, IdSource, ToolExecutor } from '@plinth/engine';
import type { Logger } from 'pino';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import { ToolRegistry } from '../tool-registry.js';
import { McpImporter } from './import-mcp-tools.js';
import { McpDirectoryExecutor } from './mcp-directory-executor.js';
import { McpExecutor } from './mcp-executor.js';
import { McpFailure } from './mcp-failure.js';
import { McpPools } from './mcp-pools.js';
import { McpServers } from './mcp-servers.js';
import { McpToolLists } from './mcp-tool-lists.js';

const SECRET = /\{\{secrets\.([A-Za-z][A-Za-z0-9_-]*)\}\}/;

/** All that this process has of MCP: the registrations, their connections, and what calls their tools. */
export function buildMcp(ports: {
  database: TenantDatabase;
  clock: Clock;
  ids: IdSource;
  artifacts: ArtifactStore;
  logger: Logger;
}) {
  const { database, clock, ids, artifacts, logger } = ports;
  const servers = new McpServers(database, clock);
  const pools = new McpPools({
    clock,
    async fillIn(_tenant, text) {
      const missing = SECRET.exec(text)?.[1];
      if (missing === undefined) return text;
      throw new McpFailure('unavailable', `needs the secret "${missing}", which is not set`);
    },
    fetchFor: () => fetch,
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
