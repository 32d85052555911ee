import { vi } from 'vitest';

/** Waits until a check holds: looks often, and gives a busy machine time. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 4_000, interval: 5 });
