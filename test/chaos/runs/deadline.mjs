/**
 * A signal that aborts after so many milliseconds, or together with another one.
 *
 * `AbortSignal.any([AbortSignal.timeout(ms), other])` says the same, but nobody holds that timeout: Node 20 forgets it at
 * the next garbage collection, and what waits for it waits for ever.
 */
export function deadline(ms, other) {
  const ended = new AbortController();
  const end = () => ended.abort(new Error(`not over after ${ms} ms`));
  const timer = setTimeout(end, ms);
  const stop = () => ended.abort(other.reason);
  if (other.aborted) stop();
  other.addEventListener('abort', stop, { once: true });
  return {
    signal: ended.signal,
    /** When it is not needed any more. */
    release() {
      clearTimeout(timer);
      other.removeEventListener('abort', stop);
    },
  };
}
