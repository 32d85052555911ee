import type { LeaseResponse } from '@plinth/protocol';
import { toClientError } from '../errors/plinth-client-error.js';
import { backoffMs, FIRST_DELAY_MS } from '../stream/backoff.js';
import type { ThreadTools } from '../thread/thread-tools.js';

/** Milliseconds between two looks at a lease that another page holds: its end by the server's clock may be off ours. */
const SHORTEST_LOOK_MS = 1_000;
const LONGEST_LOOK_MS = 30_000;

export type LeaseRequester = () => Promise<LeaseResponse>;

export function leaseRequester(
  { http }: ThreadTools,
  interruptId: string,
  clientId: string,
  signal: AbortSignal,
): LeaseRequester {
  const path = `/v1/interrupts/${encodeURIComponent(interruptId)}/lease`;
  return () => http.post<LeaseResponse>(path, { clientId }, { signal });
}

/** Milliseconds to wait before asking again; null when it is of no use. */
function nextLookMs(
  { timing, random }: ThreadTools['streams'],
  cause: unknown,
  attempt: number,
): number | null {
  const error = toClientError(cause, 'The lease could not be asked for.');
  if (error.retryable) return backoffMs(attempt, FIRST_DELAY_MS, random());
  if (error.code !== 'interrupt_leased' || error.facts.mayFollow !== true) return null;
  const left = Date.parse(String(error.facts.until)) - timing.now();
  // Several pages wait: not all of them ask at the same instant.
  const look = Math.min(Math.max(left, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  return look + SHORTEST_LOOK_MS * random();
}

/** Waits until this page has the lease. Null when it will not get it: somebody else runs the tool, or nobody wants it. */
export async function takeLease(
  { streams }: ThreadTools,
  request: LeaseRequester,
  signal: AbortSignal,
): Promise<LeaseResponse | null> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      return await request();
    } catch (cause) {
      const look = nextLookMs(streams, cause, attempt);
      if (look === null) return null;
      await streams.timing.wait(look, signal);
    }
  }
  return null;
}

/** Renews the lease until the signal aborts. Calls `onLost` when the server says that it is this page's no more. */
export async function keepLease(
  { streams }: ThreadTools,
  request: LeaseRequester,
  { renewAfterMs }: LeaseResponse,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await streams.timing.wait(renewAfterMs, signal);
    if (signal.aborted) return;
    try {
      await request();
    } catch (cause) {
      // A server that is away for a moment takes nothing from us: the next renewal may reach it in time.
      if (toClientError(cause, '').retryable) continue;
      return onLost();
    }
  }
}
