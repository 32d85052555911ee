import { z } from 'zod';
import { secretName } from '../secrets.js';

/** How the callbacks of a tool's service prove that they are its own. */
export const callbackSignature = z.object({
  header: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,99}$/, 'must be a header name in lower case')
    .default('x-signature')
    .describe('Carries the signature: hex, with or without `sha256=` before it. Default x-signature.'),
  algorithm: z
    .literal('sha256')
    .default('sha256')
    .describe('HMAC-SHA256 (RFC 2104) of the body as it was sent.'),
  secret: secretName.describe("Name of the tenant's secret that both sides know."),
});
export type CallbackSignature = z.infer<typeof callbackSignature>;
