import { Controller, Inject, Post, Query, Req } from '@nestjs/common';
import type { ArtifactStore } from '@plinth/engine';
import { PlinthError, type UploadView, uploadView } from '@plinth/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { TenantConfigs } from '../config/tenant-configs.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { declaredType, readStreamed } from '../platform/http/streamed-body.js';
import { zod } from '../platform/http/zod-pipe.js';
import { ARTIFACT_STORE } from '../platform/tokens.js';
import { endUserOf } from '../runs/run-request.js';
import { keepUpload } from './keep-upload.js';
import { Uploads } from './uploads.js';

const uploadQuery = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .default('file')
    .describe('Name of the file. It may help to tell kinds of text apart.'),
  endUserId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('With an API key: whose file it is. Not with a session token.'),
});

/** Files on their way into a conversation. */
@Controller('v1/uploads')
export class UploadsController {
  constructor(
    @Inject(Uploads) private readonly uploads: Uploads,
    @Inject(TenantConfigs) private readonly configs: TenantConfigs,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  @Post()
  @Operation({
    summary: 'Upload a file that is to go with a message',
    description:
      'The body is the file itself, of any content type; what it is, is told by its bytes. It may go with messages of the end user for 24 hours. Its size is limited by `artifacts.maxUploadBytes` of the configuration.',
    tag: 'uploads',
    access: 'any',
    status: 201,
    query: uploadQuery,
    bodyType: 'application/octet-stream',
    response: uploadView,
    errors: ['invalid_request', 'body_too_large'],
  })
  async upload(
    @Caller() caller: Principal,
    @Query(zod(uploadQuery)) { title, endUserId }: z.output<typeof uploadQuery>,
    @Req() request: FastifyRequest,
  ): Promise<UploadView> {
    requireScope(caller, 'runs');
    const { tenantId } = caller;
    const owner = endUserOf(caller, endUserId);
    const { effective } = await this.configs.current(tenantId);
    const bytes = await readStreamed(request, effective.artifacts.maxUploadBytes);
    if (bytes.length === 0)
      throw new PlinthError('invalid_request', 'The body is empty. Send the file as the body.');
    const whose = { tenant: tenantId, endUserId: owner };
    return keepUpload(this.store, this.uploads, whose, { title, bytes, contentType: declaredType(request) });
  }
}
