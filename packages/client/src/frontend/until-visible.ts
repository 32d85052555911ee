import type { StreamTools } from '../stream/stream-tools.js';

/** Resolves when the person can see this page, or the signal aborts. */
export function untilVisible({ wake, isVisible }: StreamTools, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || isVisible()) return resolve();
    const finish = () => {
      leave();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const leave = wake(() => {
      if (isVisible()) finish();
    });
    signal.addEventListener('abort', finish);
  });
}
