/** Codes of Node's resolver and sockets, and of undici, for a connection that did not come about. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** How Node names a peer whose certificate it does not accept: nothing was sent to it. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT)/;

/**
 * Whether a request failed before any of it could be sent, so that the other side cannot have acted on it. False for
 * every failure that is not known to be such a one.
 */
export function wasNeverSent(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    // One attempt for each address of a name: all of them must have failed so.
    if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(wasNeverSent);
    const { code } = cause as NodeJS.ErrnoException;
    // The fetch standard blocks some ports; undici has no code for it.
    if (cause.message === 'bad port') return true;
    if (typeof code === 'string') return NO_CONNECTION.has(code) || BAD_CERTIFICATE.test(code);
  }
  return false;
}
