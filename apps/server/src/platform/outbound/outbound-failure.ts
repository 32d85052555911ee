/** Why a request brought no answer that can be used. Codes are stable: tools pass them on. */
export type OutboundFailureCode =
  /** The URL, a header or the method cannot be sent at all. */
  | 'invalid_request'
  /** The policy does not let this tenant connect there. */
  | 'blocked_address'
  /** No connection: no such name, nobody listens, a certificate that does not hold. */
  | 'unreachable'
  | 'timed_out'
  /** More bytes than wanted: body, body after decompression, or headers. */
  | 'too_large'
  /** A redirect that cannot be followed: too many, to nowhere, to plain HTTP, or with a body to another host. */
  | 'bad_redirect'
  /** Another content type or content encoding than can be read. */
  | 'unsupported_content'
  /** The connection was cut, or what came is not HTTP or not what its encoding says. */
  | 'broken_response';

export interface OutboundFailure {
  code: OutboundFailureCode;
  /** Goes on after "The service": "gave no answer within 5000 ms". Tells no address and no part of the request. */
  message: string;
  /** False: nothing of the request can have reached the other side, so it has had no effect there. */
  mayHaveArrived: boolean;
}

/** A failure on its way through this folder; callers get an `OutboundFailure`. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundFailureCode,
    message: string,
  ) {
    super(message);
    this.name = 'OutboundError';
  }
}

/** An error of undici, Node or ours as a failure. `connected`: there was a connection over which to send. */
export function failureOf(error: unknown, connected: boolean): OutboundFailure {
  if (error instanceof OutboundError) {
    return { code: error.code, message: error.message, mayHaveArrived: connected };
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG')
    return {
      code: 'invalid_request',
      message: 'cannot be sent this: a header or the method is not valid',
      mayHaveArrived: connected,
    };
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { code: 'too_large', message: 'sent too many headers', mayHaveArrived: connected };
  if (connected)
    return { code: 'broken_response', message: `cut the connection (${code})`, mayHaveArrived: true };
  return { code: 'unreachable', message: `could not be reached (${code})`, mayHaveArrived: false };
}

/** The code of a network error. Not its message, which names addresses. */
function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && code !== 'UND_ERR') return code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return 'network error';
}
