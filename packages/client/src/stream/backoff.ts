/** Milliseconds before the first new attempt, if the server asks for no other time by `retry:`. */
export const FIRST_DELAY_MS = 250;
/** However long the server is away, it is asked again this often. */
const LONGEST_DELAY_MS = 10_000;

/**
 * Milliseconds before the next attempt; `attempt` counts the failures before this one. Half of the time is
 * random (`random` in 0..1), so that the readers of a server that restarts do not all return at once.
 */
export function backoffMs(attempt: number, firstDelayMs: number, random: number): number {
  const full = Math.min(firstDelayMs * 2 ** Math.min(attempt, 16), LONGEST_DELAY_MS);
  return full * (0.5 + random / 2);
}
