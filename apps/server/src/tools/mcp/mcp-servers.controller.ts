import { Body, Controller, Delete, Get, Inject, Param, Post, Put, Query } from '@nestjs/common';
import { toIso } from '@plinth/engine';
import {
  type ImportMcpToolsResponse,
  importMcpToolsRequest,
  importMcpToolsResponse,
  type McpServerView,
  mcpServerPage,
  mcpServerView,
  type Page,
  putMcpServerRequest,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { requireScope } from '../../auth/scopes.js';
import { Operation } from '../../platform/http/operation.js';
import { Caller } from '../../platform/http/principal-guard.js';
import { zod } from '../../platform/http/zod-pipe.js';
import { McpImporter } from './import-mcp-tools.js';
import { type McpServer, McpServers, noSuchServer } from './mcp-servers.js';

const listQuery = z.strictObject({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const deleted = z.object({ deleted: z.literal(true) });
const tag = 'mcp servers';

/** The MCP servers of a tenant, for its operations staff. */
@Controller('v1/mcp-servers')
export class McpServersController {
  constructor(
    @Inject(McpServers) private readonly servers: McpServers,
    @Inject(McpImporter) private readonly importer: McpImporter,
  ) {}

  @Get()
  @Operation({
    summary: 'All MCP servers, by key',
    tag,
    access: 'api_key',
    status: 200,
    query: listQuery,
    response: mcpServerPage,
    errors: ['invalid_request'],
  })
  async list(
    @Caller() caller: Principal,
    @Query(zod(listQuery)) query: z.output<typeof listQuery>,
  ): Promise<Page<McpServerView>> {
    requireScope(caller, 'admin');
    const { items, nextCursor } = await this.servers.list(caller.tenantId, query);
    return { items: items.map(toView), nextCursor };
  }

  @Get(':key')
  @Operation({
    summary: 'One MCP server',
    tag,
    access: 'api_key',
    status: 200,
    response: mcpServerView,
    errors: ['not_found'],
  })
  async read(@Caller() caller: Principal, @Param('key') key: string): Promise<McpServerView> {
    requireScope(caller, 'admin');
    const server = await this.servers.find(caller.tenantId, key);
    if (server === null) throw noSuchServer(key);
    return toView(server);
  }

  @Put(':key')
  @Operation({
    summary: 'Register an MCP server, or change it',
    description:
      'Used by calls from now on, in every process. A stdio server cannot be registered here: it is a process on the platform, and comes from files of the operator.',
    tag,
    access: 'api_key',
    status: 200,
    body: putMcpServerRequest,
    response: mcpServerView,
    errors: ['invalid_request', 'mcp_server_conflict'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body(zod(putMcpServerRequest)) body: z.output<typeof putMcpServerRequest>,
  ): Promise<McpServerView> {
    requireScope(caller, 'admin');
    const { expectedRevision, ...definition } = body;
    const change = { definition, origin: 'tenant', expectedRevision } as const;
    return toView((await this.servers.put(caller.tenantId, key, change)).server);
  }

  @Delete(':key')
  @Operation({
    summary: 'Take an MCP server away',
    description: 'Tools that were imported from it stay registered; calls of them fail as unavailable.',
    tag,
    access: 'api_key',
    status: 200,
    response: deleted,
    errors: ['not_found'],
  })
  async remove(@Caller() caller: Principal, @Param('key') key: string): Promise<z.infer<typeof deleted>> {
    requireScope(caller, 'admin');
    await this.servers.remove(caller.tenantId, key, 'tenant');
    return { deleted: true };
  }

  @Post(':key/import')
  @Operation({
    summary: 'Register tools of an MCP server',
    description:
      'Each becomes a tool that agents name by its key. Importing again takes over what the server has changed, as a new version.',
    tag,
    access: 'api_key',
    status: 200,
    body: importMcpToolsRequest,
    response: importMcpToolsResponse,
    errors: ['invalid_request', 'not_found', 'mcp_server_unavailable'],
  })
  async import(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body(zod(importMcpToolsRequest)) body: z.output<typeof importMcpToolsRequest>,
  ): Promise<ImportMcpToolsResponse> {
    requireScope(caller, 'admin');
    return this.importer.import(caller.tenantId, key, body);
  }
}

function toView({ key, revision, origin, definition, createdAt, updatedAt }: McpServer): McpServerView {
  const { transport, ...rest } = definition;
  return {
    key,
    revision,
    origin,
    ...rest,
    transport: transport.kind === 'stdio' ? { kind: 'stdio' } : transport,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  };
}
