import { createHmac } from 'node:crypto';
import type { Clock, ImageVariant } from '@plinth/engine';
import { PlinthError, type TenantId } from '@plinth/protocol';
import type { DerivedKeys } from '../auth/derived-keys.js';
import { isSameText } from '../auth/is-same-text.js';
import { isTenantId } from '../tenants/tenant-id.js';

/**
 * Seconds for which a picture's URL stays the same text. A provider's prompt cache knows a picture by it, and holds for an
 * hour at most where nothing else was paid for.
 */
const LIFE_SECONDS = 6 * 3600;
/** Seconds before its end at which a URL is replaced: a request that was just made must still be served. */
const RENEW_SECONDS = 900;
const EXTENSION = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const;
const NAME = /^([0-9a-f]{64})\.(?:jpg|png|webp|gif)$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** The query of a signed URL as it arrives: nothing of it is believed before `verify`. */
export interface VariantQuery {
  tenant?: string | undefined;
  expires?: string | undefined;
  signature?: string | undefined;
}

/**
 * URLs that a model's endpoint fetches pictures from. When one ends follows from the picture and the time alone, so that
 * all processes make the same text without asking anybody, and not all pictures of a conversation change at once.
 */
export class VariantUrls {
  /** @param baseUrl where endpoints reach this server, without a slash at the end */
  constructor(
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
    private readonly baseUrl: string,
  ) {}

  /** @param at milliseconds since the Unix epoch; left out: now */
  sign(tenant: TenantId, { sha256, storageKey, mimeType }: ImageVariant, at = this.clock.now()): string {
    const name = `${contentHashOf(storageKey)}.${EXTENSION[mimeType]}`;
    const expires = String(expirySeconds(sha256, at));
    const signature = this.#signature(tenant, sha256, name, expires);
    return `${this.baseUrl}/v1/images/${sha256}/${name}?${new URLSearchParams({ tenant, expires, signature })}`;
  }

  /** @throws PlinthError `forbidden` for a signature that is not ours, `token_expired` for an old one */
  verify(sha256: string, name: string, query: VariantQuery): { tenant: TenantId; contentHash: string } {
    const { tenant = '', expires = '', signature = '' } = query;
    const contentHash = NAME.exec(name)?.[1];
    const isOurs =
      contentHash !== undefined &&
      SHA256.test(sha256) &&
      isTenantId(tenant) &&
      isSameText(signature, this.#signature(tenant, sha256, name, expires));
    if (!isOurs)
      throw new PlinthError('forbidden', 'This link was not signed by this server, or was changed.');
    if (Number(expires) * 1000 <= this.clock.now())
      throw new PlinthError('token_expired', 'This link has expired. The next request carries a new one.');
    return { tenant, contentHash };
  }

  #signature(tenant: TenantId, sha256: string, name: string, expires: string): string {
    return createHmac('sha256', this.keys.key(tenant, 'image-url'))
      .update(JSON.stringify([tenant, sha256, name, expires]))
      .digest('base64url');
  }
}

function expirySeconds(sha256: string, at: number): number {
  const offset = Number.parseInt(sha256.slice(0, 8), 16) % LIFE_SECONDS;
  const earliest = Math.floor(at / 1000) + RENEW_SECONDS;
  return (Math.floor((earliest - offset) / LIFE_SECONDS) + 1) * LIFE_SECONDS + offset;
}

/** A storage key ends with the hash of its bytes. */
function contentHashOf(storageKey: string): string {
  return storageKey.slice(storageKey.lastIndexOf('/') + 1);
}
