import { z } from 'zod';
import { posterValues } from './poster-values.js';

/** Far more than any drawing needs; keeps a mistyped delay from parking jobs for days. */
const MAX_DELAY_MS = 600_000;

const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

/** Body of `POST /jobs/poster`. Fields that a newer caller adds are ignored. */
export const jobRequest = z.object({
  callId: z.string().min(1).max(200),
  idempotencyKey: z.string().min(1).max(200),
  arguments: posterValues,
  callbackUrl: address,
  progressUrl: address.nullish(),
});
export type JobRequest = z.infer<typeof jobRequest>;

/** Body of `POST /jobs/poster/cancel`: nobody waits for the poster any more. */
export const jobCancellation = z.object({
  callId: z.string().min(1).max(200),
  idempotencyKey: z.string().min(1).max(200),
  reason: z.string().max(100).optional(),
});

/** Body of `PUT /jobs/settings`. */
export const jobSettings = z.object({ delayMs: z.number().int().min(0).max(MAX_DELAY_MS) });

/** Every problem of a body in one sentence, each with the path of its field. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');
}
