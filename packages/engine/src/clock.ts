/** Time, as the engine sees it. Injected, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when aborted before. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** ISO 8601 in UTC, as every wire format of Plinth writes a time. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
