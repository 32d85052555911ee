import type { Timing } from '../time/timing.js';

/** Knows how long a connection has been silent. */
export type SilenceWatch = { heard(): void; silentMs(): number };

/**
 * Calls `onStall` once when nothing was heard for `limitMs`; ends with the signal. The clock is compared, not
 * a timer per chunk: busy streams cost nothing, and after a sleep the first late timer sees the whole gap.
 */
export function watchSilence(
  { now, wait }: Timing,
  limitMs: number,
  signal: AbortSignal,
  onStall: () => void,
): SilenceWatch {
  let heardAt = now();
  const silentMs = () => now() - heardAt;

  async function watch(): Promise<void> {
    while (!signal.aborted && silentMs() < limitMs) await wait(limitMs - silentMs(), signal);
    if (!signal.aborted) onStall();
  }

  void watch();
  return {
    silentMs,
    heard: () => {
      heardAt = now();
    },
  };
}
