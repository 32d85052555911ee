import type { Clock } from './clock.js';

/**
 * What `work` comes to, if it does so in time. Late work goes on, and what becomes of it is not noticed.
 *
 * @throws Error that names `what` when the time has passed; what `work` throws
 */
export async function within<T>(clock: Clock, ms: number, what: string, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = clock.wait(ms, done.signal).then(() => {
    throw new Error(`${what} gave no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    work.catch(() => {});
    done.abort();
  }
}
