import { Controller, Get, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type { ArtifactStore } from '@plinth/engine';
import {
  type ArtifactId,
  type ArtifactView,
  artifactView,
  type Page,
  page,
  type ThreadId,
} from '@plinth/protocol';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { zod } from '../platform/http/zod-pipe.js';
import { ARTIFACT_STORE } from '../platform/tokens.js';
import { ArtifactReader } from './artifact-reader.js';
import { readByteRange } from './byte-range.js';
import { contentHeaders } from './content-headers.js';
import { ContentUrls } from './content-url.js';

const listQuery = z.strictObject({
  threadId: z.string().min(1).max(100),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const contentQuery = z.object({
  tenant: z.string().max(200).optional(),
  version: z.string().max(20).optional(),
  expires: z.string().max(20).optional(),
  signature: z.string().max(200).optional(),
  download: z.literal('1').optional().describe('Ask the browser to save it instead of showing it.'),
});
const readable = artifactView.extend({
  contentUrl: z
    .string()
    .describe('Opens the bytes without a header, for some minutes. Read the artifact again for a new one.'),
  contentUrlExpiresAt: z.iso.datetime(),
});

@Controller('v1/artifacts')
export class ArtifactsController {
  constructor(
    @Inject(ArtifactReader) private readonly reader: ArtifactReader,
    @Inject(ContentUrls) private readonly urls: ContentUrls,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  @Get()
  @Operation({
    summary: "A thread's artifacts, newest first",
    tag: 'artifacts',
    access: 'any',
    status: 200,
    query: listQuery,
    response: page(artifactView),
    errors: ['invalid_request', 'not_found'],
  })
  list(
    @Caller() { tenantId, viewer }: Principal,
    @Query(zod(listQuery)) query: z.output<typeof listQuery>,
  ): Promise<Page<ArtifactView>> {
    return this.reader.list(tenantId, viewer, query.threadId as ThreadId, query);
  }

  @Get(':artifactId')
  @Operation({
    summary: 'One artifact',
    tag: 'artifacts',
    access: 'any',
    status: 200,
    response: readable,
    errors: ['not_found'],
  })
  async get(
    @Caller() { tenantId, viewer }: Principal,
    @Param('artifactId') artifactId: string,
  ): Promise<z.infer<typeof readable>> {
    const artifact = await this.reader.get(tenantId, viewer, artifactId as ArtifactId);
    const { path, expiresAt } = this.urls.sign(tenantId, {
      id: artifactId as ArtifactId,
      version: artifact.version,
    });
    return { ...artifact, contentUrl: path, contentUrlExpiresAt: new Date(expiresAt).toISOString() };
  }

  @Get(':artifactId/content')
  @Operation({
    summary: "An artifact's bytes, by signed URL",
    description: 'A `Range` of bytes is answered with 206, so that players can jump to a place.',
    tag: 'artifacts',
    access: 'public',
    status: 200,
    query: contentQuery,
    contentType: 'application/octet-stream',
    errors: ['forbidden', 'token_expired', 'not_found'],
  })
  async content(
    @Param('artifactId') artifactId: string,
    @Query(zod(contentQuery)) query: z.output<typeof contentQuery>,
    @Headers('range') range: string | undefined,
    @Headers('if-range') ifRange: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const signed = this.urls.verify(artifactId as ArtifactId, query);
    const artifact = await this.reader.stored(signed.tenant, signed.artifactId, signed.version);
    const bytes = await this.store.get(signed.tenant, artifact.storageKey);
    const headers = contentHeaders(artifact, { download: query.download === '1' });
    const { sizeBytes, sha256 } = artifact;
    const wanted = readByteRange({ range, ifRange }, { sizeBytes, etag: `"${sha256}"` });
    if (wanted.kind === 'outside') {
      await reply.status(416).header('content-range', `bytes */${sizeBytes}`).send();
      return;
    }
    reply.headers(headers);
    const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: bytes.byteLength - 1 };
    if (wanted.kind === 'part') {
      const length = String(end - start + 1);
      reply
        .status(206)
        .headers({ 'content-length': length, 'content-range': `bytes ${start}-${end}/${sizeBytes}` });
    }
    await reply.send(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start + 1));
  }
}
