import type { Clock } from '@plinth/engine';

interface Waiter {
  at: number;
  wake(): void;
}

/** A clock that stands still until the test advances it: for what waits in the background, again and again. */
export class ManualClock implements Clock {
  private readonly waiters = new Set<Waiter>();

  constructor(private ms = Date.UTC(2026, 10, 29, 9, 0, 0)) {}

  now(): number {
    return this.ms;
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const forget = () => {
        this.waiters.delete(waiter);
        signal?.removeEventListener('abort', give);
      };
      const give = () => {
        forget();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        at: this.ms + delayMs,
        wake() {
          forget();
          resolve();
        },
      };
      this.waiters.add(waiter);
      signal?.addEventListener('abort', give);
    });
  }

  /** Moves the time, and wakes who waited for less. */
  advance(byMs: number): void {
    this.ms += byMs;
    for (const waiter of [...this.waiters]) if (waiter.at <= this.ms) waiter.wake();
  }

  /** How many waits are under way: what a test awaits before it advances, and what is 0 when all is released. */
  get waiting(): number {
    return this.waiters.size;
  }
}
