import {
  type ImportMcpToolsRequest,
  type ImportMcpToolsResponse,
  PlinthError,
  type TenantId,
  type ToolDefinition,
} from '@plinth/protocol';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';
import { newestTools, type ToolRegistry } from '../tool-registry.js';
import { McpFailure } from './mcp-failure.js';
import { type McpServer, type McpServers, noSuchServer } from './mcp-servers.js';
import { definitionOf, keyOf, type McpTool, type McpToolList, type RefusedTool } from './mcp-tool.js';
import type { McpToolLists } from './mcp-tool-lists.js';

/** Registers tools of MCP servers as ordinary tools, so that agents name them like any other. */
export class McpImporter {
  constructor(
    private readonly servers: McpServers,
    private readonly lists: McpToolLists,
    private readonly registry: ToolRegistry,
    private readonly database: TenantDatabase,
  ) {}

  /**
   * Imports the named tools, or all. One that is no good is refused with its reason, and hinders no other.
   *
   * @throws PlinthError `not_found`; `mcp_server_unavailable` when the server cannot be asked
   */
  async import(
    tenant: TenantId,
    key: string,
    request: ImportMcpToolsRequest,
  ): Promise<ImportMcpToolsResponse> {
    const server = await this.servers.find(tenant, key);
    if (server === null) throw noSuchServer(key);
    const wanted = choose(await this.#list(tenant, server), request);
    const taken = await this.#toolsThatHaveKeys(tenant, server, wanted.tools);
    const response: ImportMcpToolsResponse = { imported: [], refused: wanted.refused };
    for (const tool of wanted.tools) {
      const made = this.#define(server, tool, taken, request);
      if (!made.ok) {
        response.refused.push({ tool: tool.name, problems: made.fields });
        continue;
      }
      taken.set(made.tool.key, made.tool);
      const { version, changed } = request.dryRun
        ? { version: null, changed: null }
        : await this.registry.register(tenant, made.tool);
      response.imported.push({ tool: tool.name, key: made.tool.key, version, changed });
    }
    return response;
  }

  #define(
    server: McpServer,
    tool: McpTool,
    taken: ReadonlyMap<string, ToolDefinition>,
    { requireConfirmation }: ImportMcpToolsRequest,
  ) {
    const key = namesFor(server, tool).find((name) => isFree(taken.get(name), server, tool));
    if (key === undefined)
      return {
        ok: false as const,
        fields: [
          { path: 'name', message: `the keys ${namesFor(server, tool).join(' and ')} belong to other tools` },
        ],
      };
    return definitionOf(server, tool, key, requireConfirmation);
  }

  async #list(tenant: TenantId, server: McpServer): Promise<McpToolList> {
    try {
      return await this.lists.readAgain(tenant, server, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof McpFailure)) throw error;
      const message = `Nothing was imported: the MCP server "${server.key}" ${error.message}.`;
      throw new PlinthError('mcp_server_unavailable', message, { server: server.key });
    }
  }

  /** The tools that are registered under a key which one of these would get. */
  #toolsThatHaveKeys(
    tenant: TenantId,
    server: McpServer,
    tools: readonly McpTool[],
  ): Promise<Map<string, ToolDefinition>> {
    const keys = tools.flatMap((tool) => namesFor(server, tool));
    return this.database.inTenant(tenant, WHOLE_TENANT, (tx) => newestTools(tx, tenant, keys));
  }
}

/** The keys that a tool may get, the preferred one first: where its own name is taken, the server's stands before it. */
function namesFor({ key, definition }: McpServer, { name }: McpTool): string[] {
  const { toolPrefix } = definition;
  const own = keyOf(toolPrefix === undefined ? name : `${toolPrefix}_${name}`);
  return [own, keyOf(`${key}_${name}`)];
}

/** Whether nobody has the key, or the very same tool does, imported before. */
function isFree(holder: ToolDefinition | undefined, { key }: McpServer, { name }: McpTool): boolean {
  if (holder === undefined) return true;
  const { executor } = holder;
  return executor.kind === 'mcp' && executor.server === key && executor.tool === name;
}

function choose({ tools, refused }: McpToolList, { tools: names }: ImportMcpToolsRequest): McpToolList {
  if (names === undefined) return { tools, refused: [...refused] };
  const unknown = names.filter(
    (name) => ![...tools.map((tool) => tool.name), ...refused.map(({ tool }) => tool)].includes(name),
  );
  const absent: RefusedTool[] = unknown.map((tool) => ({
    tool,
    problems: [
      { path: 'name', message: 'the server offers no such tool, or its registration leaves it out' },
    ],
  }));
  return {
    tools: tools.filter(({ name }) => names.includes(name)),
    refused: [...refused.filter(({ tool }) => names.includes(tool)), ...absent],
  };
}
