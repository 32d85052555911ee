import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@plinth/engine';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(delayMs, signal) {
    try {
      await sleep(delayMs, undefined, signal ? { signal } : {});
    } catch {
      // The timer knows only that it was aborted; the port promises why.
      throw signal?.reason;
    }
  },
};
