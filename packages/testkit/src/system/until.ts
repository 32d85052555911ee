import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition of another process, which no event of ours announces. Returns its first truthy value.
 *
 * @throws Error naming what was waited for, after `timeoutMs`
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value) return value as NonNullable<Exclude<T, false>>;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await pause(20);
  }
}
