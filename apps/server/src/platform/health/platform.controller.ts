import { Controller, Get, Inject, Res } from '@nestjs/common';
import { PlinthError } from '@plinth/protocol';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Operation } from '../http/operation.js';
import { Metrics } from '../metrics/metrics.js';
import { API_DOCUMENT, READINESS } from '../tokens.js';

/** Named checks; each throws when what it names cannot be used. */
export type Readiness = Record<string, () => Promise<void>>;

const status = z.object({ status: z.literal('ok') });
const readiness = z.object({ status: z.literal('ok'), checks: z.record(z.string(), z.literal('ok')) });

@Controller()
export class PlatformController {
  constructor(
    @Inject(READINESS) private readonly checks: Readiness,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(API_DOCUMENT) private readonly document: () => Record<string, unknown>,
  ) {}

  @Get('healthz')
  @Operation({
    summary: 'The process runs',
    tag: 'platform',
    access: 'public',
    status: 200,
    response: status,
    errors: [],
  })
  health(): z.infer<typeof status> {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation({
    summary: 'The process can do its work: its database, Redis and queue answer',
    tag: 'platform',
    access: 'public',
    status: 200,
    response: readiness,
    errors: ['not_ready'],
  })
  async ready(): Promise<z.infer<typeof readiness>> {
    const names = Object.keys(this.checks);
    const results = await Promise.allSettled(Object.values(this.checks).map((check) => check()));
    const failed = names.filter((_, index) => results[index]?.status === 'rejected');
    if (failed.length > 0)
      throw new PlinthError('not_ready', `Cannot be reached: ${failed.join(', ')}.`, { failed });
    return { status: 'ok', checks: Object.fromEntries(names.map((name) => [name, 'ok' as const])) };
  }

  @Get('metrics')
  @Operation({
    summary: 'Metrics in the Prometheus format',
    tag: 'platform',
    access: 'public',
    status: 200,
    contentType: 'text/plain',
    errors: [],
  })
  async metricsText(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .header('content-type', this.metrics.registry.contentType)
      .send(await this.metrics.registry.metrics());
  }

  @Get('openapi.json')
  @Operation({
    summary: 'This document',
    tag: 'platform',
    access: 'public',
    status: 200,
    contentType: 'application/json',
    errors: [],
  })
  openApi(): Record<string, unknown> {
    return this.document();
  }
}
