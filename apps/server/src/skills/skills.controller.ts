import { Body, Controller, Get, Inject, Param, Put, Query } from '@nestjs/common';
import {
  type Page,
  page,
  putSkillRequest,
  type SkillListItem,
  type SkillView,
  skillListItem,
  skillView,
} from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { SkillRegistry } from './skill-registry.js';

const listQuery = z.strictObject({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const versionQuery = z.strictObject({
  version: z.coerce.number().int().min(1).optional().describe('Left out: the newest one.'),
});
const stored = skillView.extend({
  changed: z.boolean().describe('False when the newest version says the same.'),
});

/** Instruction packs that agents load when they need them. A run keeps the version that its agent was published with. */
@Controller('v1/skills')
export class SkillsController {
  constructor(@Inject(SkillRegistry) private readonly skills: SkillRegistry) {}

  @Get()
  @Operation({
    summary: 'The newest version of each skill, by key',
    tag: 'skills',
    access: 'api_key',
    status: 200,
    query: listQuery,
    response: page(skillListItem),
    errors: ['invalid_request'],
  })
  list(
    @Caller() caller: Principal,
    @Query(zod(listQuery)) query: z.output<typeof listQuery>,
  ): Promise<Page<SkillListItem>> {
    requireScope(caller, 'admin');
    return this.skills.list(caller.tenantId, query);
  }

  @Get(':key')
  @Operation({
    summary: 'One skill',
    tag: 'skills',
    access: 'api_key',
    status: 200,
    query: versionQuery,
    response: skillView,
    errors: ['invalid_request', 'not_found'],
  })
  get(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Query(zod(versionQuery)) { version }: z.output<typeof versionQuery>,
  ): Promise<SkillView> {
    requireScope(caller, 'admin');
    return this.skills.get(caller.tenantId, key, version);
  }

  @Put(':key')
  @Operation({
    summary: 'Store a skill',
    description:
      'Adds a version, unless the newest one says the same. Agents that are published from now on get it; published ones keep theirs.',
    tag: 'skills',
    access: 'api_key',
    status: 200,
    body: putSkillRequest,
    response: stored,
    errors: ['invalid_request'],
  })
  async put(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body(zod(putSkillRequest)) body: z.output<typeof putSkillRequest>,
  ): Promise<z.infer<typeof stored>> {
    requireScope(caller, 'admin');
    const { skill, changed } = await this.skills.put(caller.tenantId, { key, ...body });
    return { ...skill, changed };
  }
}
