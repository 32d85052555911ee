import { createHash, createHmac } from 'node:crypto';
import type { CallbackTokens } from '@plinth/engine';
import type { InterruptId, TenantId } from '@plinth/protocol';
import type { DerivedKeys } from '../auth/derived-keys.js';

const PATTERN = /^cbt_[A-Za-z0-9_-]{43}$/;

/**
 * The one-time tokens in the callback URLs of jobs. A token is computed, not drawn: a job that has to be
 * dispatched again after a crash gets the same URL, and so whichever of the two dispatches arrived can
 * answer. Only its hash is in the database: who reads a backup cannot answer for a job.
 */
export class SignedCallbackTokens implements CallbackTokens {
  /** @param publicUrl where remote services reach this server, without a slash at the end */
  constructor(
    private readonly keys: DerivedKeys,
    private readonly publicUrl: string,
  ) {}

  issue(
    tenant: TenantId,
    interruptId: InterruptId,
  ): { token: string; tokenHash: string; url: string; progressUrl: string } {
    const mac = createHmac('sha256', this.keys.key(tenant, 'callback'))
      .update(interruptId)
      .digest('base64url');
    const token = `cbt_${mac}`;
    const url = `${this.publicUrl}/v1/callbacks/${token}`;
    return { token, tokenHash: hashCallbackToken(token), url, progressUrl: `${url}/progress` };
  }
}

export function looksLikeCallbackToken(token: string): boolean {
  return PATTERN.test(token);
}

/** SHA-256 in hex: what the interrupt's row keeps of its token. */
export function hashCallbackToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
