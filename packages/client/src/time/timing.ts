/** Resolves after `delayMs`, or as soon as `signal` aborts. Never rejects. */
export type Wait = (delayMs: number, signal?: AbortSignal) => Promise<void>;

/** The passing of time, injected so that tests need none. */
export type Timing = { now(): number; wait: Wait };

/** A timer that is set for longer fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves after a delay, or as soon as the signal aborts; leaves no timer and no listener behind. */
export const waitWithTimer: Wait = (delayMs, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(delayMs, LONGEST_MS));
    signal?.addEventListener('abort', finish);
  });
