import { Body, Controller, Inject, Post } from '@nestjs/common';
import {
  type OpenApiImportRequest,
  type OpenApiImportResponse,
  openApiImportRequest,
  openApiImportResponse,
} from '@plinth/protocol';
import type { Principal } from '../../auth/principal.js';
import { requireScope } from '../../auth/scopes.js';
import { Operation } from '../../platform/http/operation.js';
import { Caller } from '../../platform/http/principal-guard.js';
import { zod } from '../../platform/http/zod-pipe.js';
import { OpenApiImporter } from './import-openapi.js';

@Controller('v1/tools/import/openapi')
export class OpenApiImportController {
  constructor(@Inject(OpenApiImporter) private readonly importer: OpenApiImporter) {}

  @Post()
  @Operation({
    summary: 'Make tools of the operations of an OpenAPI document',
    description:
      'Each operation becomes an `http` tool. The same document again adds versions only of what has changed. Try it with `dryRun` first.',
    tag: 'tools',
    access: 'api_key',
    status: 200,
    body: openApiImportRequest,
    response: openApiImportResponse,
    errors: ['invalid_request', 'body_too_large'],
  })
  async import(
    @Caller() caller: Principal,
    @Body(zod(openApiImportRequest)) body: OpenApiImportRequest,
  ): Promise<OpenApiImportResponse> {
    requireScope(caller, 'admin');
    return this.importer.import(caller.tenantId, body);
  }
}
