import type { Timing } from '../src/time/timing.js';

/** Time that passes only when a test says so. */
export type ManualTiming = Timing & { advance(ms: number): Promise<void>; waiting(): number };

export function createManualTiming(): ManualTiming {
  let nowMs = Date.parse('2026-01-01T10:00:00.000Z');
  const waits = new Set<{ dueMs: number; finish(): void }>();

  return {
    now: () => nowMs,
    waiting: () => waits.size,
    wait: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const entry = { dueMs: nowMs + delayMs, finish };
        function finish(): void {
          waits.delete(entry);
          resolve();
        }
        waits.add(entry);
        signal?.addEventListener('abort', finish, { once: true });
      }),
    async advance(ms) {
      nowMs += ms;
      for (const entry of [...waits]) if (entry.dueMs <= nowMs) entry.finish();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** For tests in which pauses do not matter: a pause before a new attempt is over at once, longer waits never end. */
export function createHurriedTiming(): Timing {
  const manual = createManualTiming();
  return {
    now: manual.now,
    wait: (delayMs, signal) => (delayMs <= 10_000 ? Promise.resolve() : manual.wait(delayMs, signal)),
  };
}
