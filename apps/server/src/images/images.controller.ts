import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ArtifactLost, type ArtifactStore } from '@plinth/engine';
import { PlinthError } from '@plinth/protocol';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Operation } from '../platform/http/operation.js';
import { zod } from '../platform/http/zod-pipe.js';
import { ARTIFACT_STORE } from '../platform/tokens.js';
import { ImageVariantRows } from './image-variant-rows.js';
import { VariantUrls } from './variant-urls.js';

/** A variant is named by the hash of its bytes, so that what was fetched once is never stale. */
const CACHE_SECONDS = 86_400;
const variantQuery = z.object({
  tenant: z.string().max(200).optional(),
  expires: z.string().max(20).optional(),
  signature: z.string().max(200).optional(),
});

@Controller('v1/images')
export class ImagesController {
  constructor(
    @Inject(VariantUrls) private readonly urls: VariantUrls,
    @Inject(ImageVariantRows) private readonly rows: ImageVariantRows,
    @Inject(ARTIFACT_STORE) private readonly store: ArtifactStore,
  ) {}

  @Get(':sha256/:variant')
  @Operation({
    summary: 'A picture as a model gets it, by signed URL',
    description: 'For model endpoints that fetch pictures themselves. Requests to models carry these URLs.',
    tag: 'images',
    access: 'public',
    status: 200,
    query: variantQuery,
    contentType: 'image/*',
    errors: ['forbidden', 'token_expired', 'not_found'],
  })
  async variant(
    @Param('sha256') sha256: string,
    @Param('variant') name: string,
    @Query(zod(variantQuery)) query: z.output<typeof variantQuery>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { tenant, contentHash } = this.urls.verify(sha256, name, query);
    const variant = await this.rows.findByContent(tenant, sha256, contentHash);
    if (variant === null) throw new PlinthError('not_found', 'There is no such picture.');
    const bytes = await this.store.get(tenant, variant.storageKey).catch(notFoundWhenLost);
    await reply
      .headers({
        'content-type': variant.mimeType,
        'content-length': String(bytes.byteLength),
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': `private, max-age=${CACHE_SECONDS}, immutable`,
        etag: `"${contentHash}"`,
      })
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}

/** Made again when a worker next needs it; here nobody knows which original it is of. */
function notFoundWhenLost(error: unknown): never {
  if (error instanceof ArtifactLost)
    throw new PlinthError('not_found', 'The bytes of this picture are not in the store any more.');
  throw error;
}
