/** A controller that also aborts when one of the signals does. `release` when the work is done. */
export type LinkedAbort = { signal: AbortSignal; abort(): void; release(): void };

/** `AbortSignal.any` would do, but is younger than many browsers in use, and cannot be released. */
export function linkAbort(...parents: (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const releases = parents.map((parent) => {
    if (!parent) return () => undefined;
    const forward = () => controller.abort();
    if (parent.aborted) forward();
    parent.addEventListener('abort', forward);
    return () => parent.removeEventListener('abort', forward);
  });
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    release: () => {
      for (const release of releases) release();
    },
  };
}
