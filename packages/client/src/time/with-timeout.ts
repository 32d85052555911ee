import { PlinthClientError } from '../errors/plinth-client-error.js';
import { linkAbort } from './linked-abort.js';
import { raceAbort } from './race-abort.js';
import type { Wait } from './timing.js';

export type TimeLimit = { wait: Wait; timeoutMs: number; signal?: AbortSignal | undefined };

/** Runs one call and gives up after a time, or when the limit's signal aborts. `what` names it in the error. */
export async function withTimeout<T>(
  what: string,
  limit: TimeLimit,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const work = linkAbort(limit.signal);
  const timer = linkAbort();
  let isLate = false;
  void limit.wait(limit.timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    isLate = true;
    work.abort();
  });
  const giveUp = () => (isLate ? tookTooLong(what, limit.timeoutMs) : wasAborted(what));
  try {
    return await raceAbort(call(work.signal), work.signal, giveUp);
  } finally {
    timer.abort();
    work.release();
  }
}

function wasAborted(what: string): PlinthClientError {
  return new PlinthClientError({ code: 'aborted', message: `${what} was given up.` });
}

function tookTooLong(what: string, timeoutMs: number): PlinthClientError {
  return new PlinthClientError({
    code: 'timeout',
    message: `${what} had no answer within ${timeoutMs / 1000} s. Try again.`,
  });
}
