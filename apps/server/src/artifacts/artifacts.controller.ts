import { Controller, Get, Headers, Inject, Param, Put, Query, Req, Res } from '@nestjs/common';
import type { ArtifactStore } from '@plinth/engine';
import {
  type ArtifactAuthor,
  type ArtifactId,
  type ArtifactVersionView,
  type ArtifactView,
  artifactVersionView,
  artifactView,
  type Page,
  PlinthError,
  page,
  type ThreadId,
} from '@plinth/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scopes.js';
import { Operation } from '../platform/http/operation.js';
import { Caller } from '../platform/http/principal-guard.js';
import { declaredType, readStreamed } from '../platform/http/streamed-body.js';
import { zod } from '../platform/http/zod-pipe.js';
import { ARTIFACT_STORE } from '../platform/tokens.js';
import { ArtifactReader } from './artifact-reader.js';
import { ArtifactVersions } from './artifact-versions.js';
import { readByteRange } from './byte-range.js';
import { contentHeaders } from './content-headers.js';
import { ContentUrls } from './content-url.js';
import { requiredVersion, versionTag } from './version-tag.js';

const listQuery = z.strictObject({
  threadId: z.string().min(1).max(100),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** The largest number that the database holds. */
const LAST_VERSION = 2_147_483_647;
const versionsQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the nextCursor of a page')
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const oneQuery = z.strictObject({
  version: z.coerce.number().int().min(1).max(LAST_VERSION).optional().describe('Default: the newest.'),
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

/** Bytes of a version that is saved: what a callback may bring of one. */
const MAX_CONTENT_BYTES = 32 * 1024 * 1024;

@Controller('v1/artifacts')
export class ArtifactsController {
  constructor(
    @Inject(ArtifactReader) private readonly reader: ArtifactReader,
    @Inject(ContentUrls) private readonly urls: ContentUrls,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
    @Inject(ArtifactVersions) private readonly versioned: ArtifactVersions,
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
    summary: 'One artifact, in its newest version or another one',
    description: 'The `ETag` is its version, for the `If-Match` of a change.',
    tag: 'artifacts',
    access: 'any',
    status: 200,
    query: oneQuery,
    response: readable,
    errors: ['invalid_request', 'not_found'],
  })
  async get(
    @Caller() { tenantId, viewer }: Principal,
    @Param('artifactId') artifactId: string,
    @Query(zod(oneQuery)) { version }: z.output<typeof oneQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof readable>> {
    const artifact = await this.reader.get(tenantId, viewer, artifactId as ArtifactId, version);
    reply.header('etag', versionTag(artifact.version));
    const { path, expiresAt } = this.urls.sign(tenantId, {
      id: artifactId as ArtifactId,
      version: artifact.version,
    });
    return { ...artifact, contentUrl: path, contentUrlExpiresAt: new Date(expiresAt).toISOString() };
  }

  @Get(':artifactId/versions')
  @Operation({
    summary: "An artifact's versions, newest first",
    tag: 'artifacts',
    access: 'any',
    status: 200,
    query: versionsQuery,
    response: page(artifactVersionView),
    errors: ['invalid_request', 'not_found'],
  })
  versions(
    @Caller() { tenantId, viewer }: Principal,
    @Param('artifactId') artifactId: string,
    @Query(zod(versionsQuery)) query: z.output<typeof versionsQuery>,
  ): Promise<Page<ArtifactVersionView>> {
    return this.reader.versions(tenantId, viewer, artifactId as ArtifactId, query);
  }

  @Put(':artifactId/content')
  @Operation({
    summary: 'Save a new version',
    description:
      'The body is the bytes, 32 MiB at most. They are of the same kind as before: what they are is detected, the content type is a hint. When somebody else has changed it meanwhile nothing is written: 412, and the facts name the newest version. The same request again gives the version that it made.',
    tag: 'artifacts',
    access: 'any',
    status: 200,
    headers: [
      {
        name: 'if-match',
        description: 'The version that was changed, as the `ETag` of the artifact says it: `"3"`.',
        required: true,
      },
    ],
    response: artifactView,
    errors: [
      'invalid_request',
      'not_found',
      'artifact_revision_conflict',
      'body_too_large',
      'artifact_kind_mismatch',
      'artifact_revision_required',
    ],
  })
  async save(
    @Caller() caller: Principal,
    @Param('artifactId') artifactId: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ArtifactView> {
    requireScope(caller, 'runs');
    const { tenantId, viewer } = caller;
    const id = artifactId as ArtifactId;
    // First of all, so that the header tells nobody what there is.
    const { version } = await this.reader.get(tenantId, viewer, id);
    const baseVersion = requiredVersion(ifMatch, version);
    const bytes = await readStreamed(request, MAX_CONTENT_BYTES);
    const change = { artifactId: id, baseVersion, bytes, author: authorFor(caller) };
    const outcome = await this.versioned.save(tenantId, viewer, {
      ...change,
      contentType: declaredType(request),
    });
    if (outcome.kind === 'conflict') {
      const { artifact, author, changedAt } = outcome.newest;
      throw new PlinthError(
        'artifact_revision_conflict',
        `Version ${artifact.version} is the newest, this change was made on ${baseVersion}. Read the newest, merge, and save on it.`,
        { artifact, author, changedAt },
      );
    }
    reply.header('etag', versionTag(outcome.artifact.version));
    return outcome.artifact;
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

/** A session token stands for a person, a key for a back end. */
function authorFor({ kind, id, viewer }: Principal): ArtifactAuthor {
  return kind === 'session' && viewer.endUserId !== null
    ? { kind: 'end_user', id: viewer.endUserId }
    : { kind: 'api_key', id };
}
