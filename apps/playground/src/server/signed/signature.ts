import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Milliseconds for which a signature holds: what a slow connection needs, and clocks that differ. */
const VALID_MS = 60_000;

/** What of a request is signed. */
export interface SignedRequest {
  method: string;
  /** With its query. */
  url: string;
  body: string;
}

export type Verdict = 'valid' | 'unsigned' | 'expired' | 'forged';

/** Keys that pages sign their calls with, one for each visitor. They last as long as this process. */
export class RequestSignatures {
  readonly #secret = randomBytes(32);

  constructor(private readonly now: () => number = Date.now) {}

  keyOf(visitorSecret: string): string {
    return createHmac('sha256', this.#secret).update(visitorSecret).digest('base64url');
  }

  sign(visitorSecret: string, signedAt: string, { method, url, body }: SignedRequest): string {
    return createHmac('sha256', this.keyOf(visitorSecret))
      .update([signedAt, method, url, body].join('\n'))
      .digest('base64url');
  }

  verify(
    visitorSecret: string,
    headers: { signedAt: string | undefined; signature: string | undefined },
    request: SignedRequest,
  ): Verdict {
    const { signedAt, signature } = headers;
    if (signedAt === undefined || signature === undefined) return 'unsigned';
    if (!(Math.abs(this.now() - Number(signedAt)) <= VALID_MS)) return 'expired';
    const given = Buffer.from(signature);
    const right = Buffer.from(this.sign(visitorSecret, signedAt, request));
    return given.length === right.length && timingSafeEqual(given, right) ? 'valid' : 'forged';
  }
}
