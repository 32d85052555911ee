import type { Transport } from '../http/transport.js';
import { linkAbort } from '../time/linked-abort.js';
import type { Timing } from '../time/timing.js';
import { backoffMs, FIRST_DELAY_MS } from './backoff.js';
import type { Wake } from './wake.js';

/** What a stream needs from outside. */
export type StreamTools = {
  transport: Transport;
  timing: Timing;
  wake: Wake;
  isVisible(): boolean;
  random(): number;
};

export type Pause = { attempt: number; firstDelayMs?: number; signal: AbortSignal };

/** Waits before the next attempt; shorter when the browser wakes or the signal aborts. */
export async function pauseBeforeRetry(
  { timing, wake, random }: StreamTools,
  { attempt, firstDelayMs = FIRST_DELAY_MS, signal }: Pause,
) {
  const pause = linkAbort(signal);
  const leave = wake(pause.abort);
  await timing.wait(backoffMs(attempt, firstDelayMs, random()), pause.signal);
  leave();
  pause.release();
}
