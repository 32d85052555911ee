import { Body, Controller, Get, Inject, Put, Query } from '@nestjs/common';
import { type Page, page, tenantConfig } from '@plinth/protocol';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { type ConfigRevision, TenantConfigs } from './tenant-configs.js';

const revisionSchema = z.object({
  revision: z.number().int(),
  values: z.record(z.string(), z.unknown()).describe('What this tenant changed from the defaults.'),
  author: z.string(),
  reason: z.string(),
  createdAt: z.iso.datetime(),
});
const inForce = revisionSchema.extend({ effective: tenantConfig.describe('With the defaults under it.') });
const historyQuery = z.strictObject({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const change = z.strictObject({
  expectedRevision: z
    .number()
    .int()
    .min(0)
    .describe('The revision that the change was made on. Another one by now: 409.'),
  values: z
    .record(z.string(), z.unknown())
    .describe('The whole new configuration; what is left out takes its default.'),
  reason: z.string().trim().min(3).max(500).describe('Why; kept with the revision.'),
});

/** A tenant's parameters. A change is a new revision; running runs take it at their next turn. */
@Controller('v1/config')
export class ConfigController {
  constructor(@Inject(TenantConfigs) private readonly configs: TenantConfigs) {}

  @Get()
  @Operation({
    summary: 'The configuration in force',
    tag: 'configuration',
    access: 'api_key',
    status: 200,
    response: inForce,
    errors: [],
  })
  async current(@Caller() caller: Principal): Promise<z.infer<typeof inForce>> {
    requireScope(caller, 'admin');
    const current = await this.configs.current(caller.tenantId);
    return { ...toView(current), effective: current.effective };
  }

  @Get('revisions')
  @Operation({
    summary: 'All revisions, newest first',
    tag: 'configuration',
    access: 'api_key',
    status: 200,
    query: historyQuery,
    response: page(revisionSchema),
    errors: ['invalid_request'],
  })
  async history(
    @Caller() caller: Principal,
    @Query(zod(historyQuery)) query: z.output<typeof historyQuery>,
  ): Promise<Page<z.infer<typeof revisionSchema>>> {
    requireScope(caller, 'admin');
    const { items, nextCursor } = await this.configs.history(caller.tenantId, query);
    return { items: items.map(toView), nextCursor };
  }

  @Put()
  @Operation({
    summary: 'Change the configuration',
    description:
      'Makes a new revision. No restart: every process uses it from its next turn on. To roll back, send old values again.',
    tag: 'configuration',
    access: 'api_key',
    status: 200,
    body: change,
    response: inForce,
    errors: ['invalid_request', 'config_revision_conflict'],
  })
  async change(
    @Caller() caller: Principal,
    @Body(zod(change)) body: z.output<typeof change>,
  ): Promise<z.infer<typeof inForce>> {
    requireScope(caller, 'admin');
    const changed = await this.configs.change(caller.tenantId, { ...body, author: caller.id });
    return { ...toView(changed), effective: changed.effective };
  }
}

function toView({
  revision,
  values,
  author,
  reason,
  createdAt,
}: ConfigRevision): z.infer<typeof revisionSchema> {
  return { revision, values, author, reason, createdAt: new Date(createdAt).toISOString() };
}
