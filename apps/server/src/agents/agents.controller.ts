import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import {
  type AgentView,
  agentBody,
  agentView,
  type Page,
  page,
  type WrittenAgent,
  writtenAgent,
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
import { AgentReader } from './agent-reader.js';
import { AgentPublisher } from './publish-agent.js';

const oneAgent = agentView.extend(definitionHistory.shape);

/** The agents of a tenant, by key and version. */
@Controller('v1/agents')
export class AgentsController {
  constructor(
    @Inject(AgentPublisher) private readonly publisher: AgentPublisher,
    @Inject(AgentReader) private readonly reader: AgentReader,
  ) {}

  @Put(':key')
  @Operation({
    summary: 'Publish an agent',
    description:
      'Adds a version with the newest definitions of its tools, unless the newest one says the same. New runs use it at once; runs that have begun keep theirs.',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    body: agentBody,
    response: writtenAgent,
    errors: ['invalid_request'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body() body: unknown,
  ): Promise<WrittenAgent> {
    requireScope(caller, 'admin');
    const { version, changed } = await this.publisher.publish(caller.tenantId, definitionUnder(key, body));
    return { ...(await this.reader.get(caller.tenantId, key, version)), changed };
  }

  @Get()
  @Operation({
    summary: 'The newest version of each agent, by key',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    query: definitionPage,
    response: page(agentView),
    errors: ['invalid_request'],
  })
  async list(
    @Caller() caller: Principal,
    @Query(zod(definitionPage)) query: z.output<typeof definitionPage>,
  ): Promise<Page<AgentView>> {
    requireScope(caller, 'admin');
    return this.reader.list(caller.tenantId, query);
  }

  @Get(':key')
  @Operation({
    summary: 'One agent, with its versions',
    tag: 'definitions',
    access: 'api_key',
    status: 200,
    query: oneDefinition,
    response: oneAgent,
    errors: ['invalid_request', 'not_found'],
  })
  async get(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Query(zod(oneDefinition)) { version }: z.output<typeof oneDefinition>,
  ): Promise<z.infer<typeof oneAgent>> {
    requireScope(caller, 'admin');
    const found = await this.reader.get(caller.tenantId, key, version);
    return { ...found, versions: await this.reader.versions(caller.tenantId, key) };
  }
}
