import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import {
  type Page,
  page,
  type ToolView,
  toolBody,
  toolView,
  type WrittenTool,
  writtenTool,
} from '@plinth/protocol';
import type { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import {
  definitionHistory,
  definitionPage,
  definitionUnder,
  oneDefinition,
} from '../tenants/definition-requests.js';
import { ToolReader } from './tool-reader.js';
import { ToolRegistry } from './tool-registry.js';

const oneTool = toolView.extend(definitionHistory.shape);

/** The tools of a tenant, by key and version. */
@Controller('v1/tools')
export class ToolsController {
  constructor(
    @Inject(ToolRegistry) private readonly registry: ToolRegistry,
    @Inject(ToolReader) private readonly reader: ToolReader,
  ) {}

  @Put(':key')
  @Operation({
    summary: 'Register a tool',
    description:
      'Adds a version, unless the newest one says the same. Agents take it when they are published next; runs keep what they began with.',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    body: toolBody,
    response: writtenTool,
    errors: ['invalid_request'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body() body: unknown,
  ): Promise<WrittenTool> {
    requireScope(caller, 'admin');
    const { version, changed, warnings } = await this.registry.register(
      caller.tenantId,
      definitionUnder(key, body),
    );
    return { ...(await this.reader.get(caller.tenantId, key, version)), changed, warnings };
  }

  @Get()
  @Operation({
    summary: 'The newest version of each tool, by key',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    query: definitionPage,
    response: page(toolView),
    errors: ['invalid_request'],
  })
  async list(
    @Caller() caller: Principal,
    @Query(zod(definitionPage)) query: z.output<typeof definitionPage>,
  ): Promise<Page<ToolView>> {
    requireScope(caller, 'admin');
    return this.reader.list(caller.tenantId, query);
  }

  @Get(':key')
  @Operation({
    summary: 'One tool, with its versions',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    query: oneDefinition,
    response: oneTool,
    errors: ['invalid_request', 'not_found'],
  })
  async get(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Query(zod(oneDefinition)) { version }: z.output<typeof oneDefinition>,
  ): Promise<z.infer<typeof oneTool>> {
    requireScope(caller, 'admin');
    const found = await this.reader.get(caller.tenantId, key, version);
    return { ...found, versions: await this.reader.versions(caller.tenantId, key) };
  }
}
