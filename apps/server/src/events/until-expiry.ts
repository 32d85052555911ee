import type { Clock } from '@plinth/engine';
import type { Principal } from '../auth/principal.js';

/**
 * Aborts when the caller's credential expires, so that a stream does not outlive the right to read it.
 *
 * @param done ends the waiting when the stream is over
 */
export function untilExpiry(clock: Clock, { expiresAt }: Principal, done: AbortSignal): AbortSignal {
  const expired = new AbortController();
  if (expiresAt !== undefined) {
    clock.wait(Math.max(0, expiresAt - clock.now()), done).then(
      () => expired.abort(),
      () => {},
    );
  }
  return expired.signal;
}
