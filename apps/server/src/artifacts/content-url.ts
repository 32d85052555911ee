import { createHmac } from 'node:crypto';
import type { Clock } from '@plinth/engine';
import { type ArtifactId, PlinthError, type TenantId } from '@plinth/protocol';
import type { DerivedKeys } from '../auth/derived-keys.js';
import { isSameText } from '../auth/is-same-text.js';
import { isTenantId } from '../tenants/tenant-id.js';

/** Within one window the same URL comes back, so that a browser's cache and a re-render keep the picture. */
const WINDOW_SECONDS = 300;
/** A URL lives this long at least, and one window longer at most. */
const MIN_LIFE_SECONDS = 900;

/** The query of a signed URL as it arrives: nothing of it is believed before `verify`. */
export interface ContentQuery {
  tenant?: string | undefined;
  version?: string | undefined;
  expires?: string | undefined;
  signature?: string | undefined;
}

/**
 * URLs that open an artifact's bytes without a header, for `<img src>` and downloads. The signature covers
 * tenant, artifact, version and expiry with the tenant's own key. Whoever may see the artifact gets one.
 */
export class ContentUrls {
  constructor(
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
  ) {}

  sign(tenant: TenantId, artifact: { id: ArtifactId; version: number }): { path: string; expiresAt: number } {
    const nowSeconds = Math.floor(this.clock.now() / 1000);
    const windowEnd = (Math.floor(nowSeconds / WINDOW_SECONDS) + 1) * WINDOW_SECONDS;
    const expires = windowEnd + MIN_LIFE_SECONDS;
    const query = new URLSearchParams({
      tenant,
      version: String(artifact.version),
      expires: String(expires),
      signature: this.#signature(tenant, artifact.id, String(artifact.version), String(expires)),
    });
    return {
      path: `/v1/artifacts/${encodeURIComponent(artifact.id)}/content?${query}`,
      expiresAt: expires * 1000,
    };
  }

  /** @throws PlinthError `forbidden` for a signature that is not ours, `token_expired` for an old one. */
  verify(
    artifactId: ArtifactId,
    query: ContentQuery,
  ): { tenant: TenantId; artifactId: ArtifactId; version: number } {
    const { tenant = '', version = '', expires = '', signature = '' } = query;
    if (
      !isTenantId(tenant) ||
      !isSameText(signature, this.#signature(tenant, artifactId, version, expires))
    ) {
      throw new PlinthError(
        'forbidden',
        'This link was not signed by this server or was changed. Read the artifact again for a new one.',
      );
    }
    if (Number(expires) * 1000 <= this.clock.now()) {
      throw new PlinthError('token_expired', 'This link has expired. Read the artifact again for a new one.');
    }
    return { tenant, artifactId, version: Number(version) };
  }

  #signature(tenant: TenantId, artifactId: ArtifactId, version: string, expires: string): string {
    const key = this.keys.key(tenant, 'artifact-url');
    return createHmac('sha256', key)
      .update(JSON.stringify([tenant, artifactId, version, expires]))
      .digest('base64url');
  }
}
