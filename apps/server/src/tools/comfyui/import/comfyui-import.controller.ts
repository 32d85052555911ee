import { Body, Controller, Inject, Post } from '@nestjs/common';
import type { Principal } from '../../../auth/principal.js';
import { requireScope } from '../../../auth/scopes.js';
import { Operation } from '../../../platform/http/operation.js';
import { Caller } from '../../../platform/http/principal-guard.js';
import { zod } from '../../../platform/http/zod-pipe.js';
import { type ImportRequest, type ImportResponse, importRequest, importResponse } from './import-request.js';
import { WorkflowImport } from './import-workflow.js';

@Controller('v1/tools/import/comfyui')
export class ComfyUiImportController {
  constructor(@Inject(WorkflowImport) private readonly workflows: WorkflowImport) {}

  @Post()
  @Operation({
    summary: 'Publish a ComfyUI workflow as a tool',
    description:
      'Makes a new version of the tool. Nodes, inputs and outputs are checked against the workflow and, when one of the hosts answers, against what is installed there. Agents take the new version when they are published next.',
    tag: 'tools',
    access: 'api_key',
    status: 200,
    body: importRequest,
    response: importResponse,
    errors: ['invalid_request'],
  })
  async publish(
    @Caller() caller: Principal,
    @Body(zod(importRequest)) body: ImportRequest,
  ): Promise<ImportResponse> {
    requireScope(caller, 'admin');
    return this.workflows.publish(caller.tenantId, body);
  }
}
