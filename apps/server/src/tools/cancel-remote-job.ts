import type { Clock, JobCancellation } from '@plinth/engine';
import { type Dispatcher, fetch } from 'undici';
import { describeNetworkError } from './describe-network-error.js';

/** Milliseconds for the service to answer. Nobody waits for it, but it must not stay for ever. */
const TIMEOUT_MS = 5_000;

/** The service does not have the job, or not any more: what was wanted. */
const IS_OVER = new Set([404, 409, 410]);

/**
 * Tells a job's service that nobody waits for it any more: one POST, no second try.
 *
 * @throws Error when the service did not take it
 */
export async function cancelRemoteJob(
  url: string,
  { callId, idempotencyKey, reason }: JobCancellation,
  { clock, dispatcher }: { clock: Clock; dispatcher: Dispatcher | undefined },
): Promise<void> {
  const cut = new AbortController();
  const timer = new AbortController();
  clock.wait(TIMEOUT_MS, timer.signal).then(
    () => cut.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)),
    () => undefined,
  );
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ callId, idempotencyKey, reason }),
      redirect: 'error',
      signal: cut.signal,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    }).catch((error: unknown) => {
      throw new Error(`The service could not be told (${describeNetworkError(error)}).`);
    });
    await response.body?.cancel();
    if (response.ok || IS_OVER.has(response.status)) return;
    throw new Error(`The service answered ${response.status} to a cancelled job.`);
  } finally {
    timer.abort();
  }
}
