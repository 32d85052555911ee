import { z } from 'zod';

/** Every error that the API can answer with, and the HTTP status it has there. Codes never change meaning. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_idempotency_key: 400,
  unauthenticated: 401,
  token_expired: 401,
  forbidden: 403,
  not_found: 404,
  thread_busy: 409,
  interrupt_already_answered: 409,
  interrupt_closed: 409,
  arguments_digest_mismatch: 409,
  interrupt_leased: 409,
  lease_not_held: 409,
  run_already_ended: 409,
  mcp_server_conflict: 409,
  identity_provider_conflict: 409,
  identity_provider_taken: 409,
  config_revision_conflict: 409,
  resume_incomplete: 409,
  artifact_revision_conflict: 412,
  attachment_too_large: 413,
  body_too_large: 413,
  answer_invalid: 422,
  artifact_kind_mismatch: 422,
  attachment_not_found: 422,
  attachment_not_fetched: 422,
  idempotency_key_reused: 422,
  artifact_revision_required: 428,
  internal_error: 500,
  mcp_server_unavailable: 502,
  not_ready: 503,
  identity_provider_unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

export const fieldError = z.object({ path: z.string(), message: z.string() });
export type FieldError = z.infer<typeof fieldError>;

/** `application/problem+json` (RFC 9457) with a stable `code`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(fieldError).optional().describe('For invalid input: each field, and what to do.'),
  facts: z.record(z.string(), z.unknown()).optional().describe('What the code is about, e.g. who answered.'),
});
export type Problem = z.infer<typeof problem>;

const MARK = Symbol.for('plinth.error');

/** A domain error: a stable code, what was attempted and what to do, and the facts as fields. */
export class PlinthError extends Error {
  readonly [MARK] = true;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: Record<string, unknown> = {},
    readonly fields: FieldError[] = [],
  ) {
    super(message);
    this.name = 'PlinthError';
  }

  /** True for an error of this class from any copy of this package (`instanceof` fails across copies). */
  static isInstance(value: unknown): value is PlinthError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
