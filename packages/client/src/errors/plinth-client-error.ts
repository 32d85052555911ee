import type { ErrorCode, FieldError } from '@plinth/protocol';

/** What can go wrong before (or instead of) an answer of the server. */
export type LocalErrorCode =
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'invalid_response'
  | 'auth_failed'
  | 'send_in_progress'
  | 'unknown_message'
  | 'unknown_question'
  | 'unexpected';

/** A server may be newer than this client, so any other string is possible as well. */
export type ClientErrorCode = ErrorCode | LocalErrorCode | (string & {});

export type PlinthClientErrorInit = {
  code: ClientErrorCode;
  message: string;
  status?: number;
  facts?: Record<string, unknown>;
  fields?: FieldError[];
  requestId?: string;
  cause?: unknown;
};

const MARK = Symbol.for('plinth.client-error');

/** Every error that this package throws or puts into a state. `status` is 0 when no response came. */
export class PlinthClientError extends Error {
  readonly [MARK] = true;
  readonly code: ClientErrorCode;
  readonly status: number;
  readonly facts: Record<string, unknown>;
  readonly fields: FieldError[];
  readonly requestId: string | null;

  constructor(init: PlinthClientErrorInit) {
    super(init.message, { cause: init.cause });
    this.name = 'PlinthClientError';
    this.code = init.code;
    this.status = init.status ?? 0;
    this.facts = init.facts ?? {};
    this.fields = init.fields ?? [];
    this.requestId = init.requestId ?? null;
  }

  /** Whether the same request may succeed later without any change. */
  get retryable(): boolean {
    if (this.status === 0) return ['network', 'timeout', 'auth_failed'].includes(this.code);
    return (
      this.code === 'invalid_response' || this.status >= 500 || this.status === 408 || this.status === 429
    );
  }

  /** True for an error of this class from any copy of this package (`instanceof` fails across copies). */
  static isInstance(value: unknown): value is PlinthClientError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}

/** Passes a `PlinthClientError` through and wraps anything else, so that a state never holds an unknown. */
export function toClientError(cause: unknown, message: string): PlinthClientError {
  return PlinthClientError.isInstance(cause)
    ? cause
    : new PlinthClientError({ code: 'unexpected', message, cause });
}
