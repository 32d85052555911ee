import { PlinthClientError } from '../errors/plinth-client-error.js';
import { readProblem } from '../errors/read-problem.js';
import { type Wait, waitWithTimer } from '../time/timing.js';
import { withTimeout } from '../time/with-timeout.js';
import type { InputOf } from './calls.js';

/** What became of a job: its result with files, or why there is none. */
export type JobResult = InputOf<'/v1/callbacks/{token}', 'post'>['body'];
export type JobProgress = InputOf<'/v1/callbacks/{token}/progress', 'post'>['body'];

export type JobCallbackOptions = {
  /** For a tool that wants its callbacks signed: the shared secret, and the header (default `x-signature`). */
  signature?: { secret: string; header?: string };
  signal?: AbortSignal;
  /** Milliseconds for one try. Default 30 s: a result may carry 32 MiB of files. */
  timeoutMs?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits between two tries. */
  wait?: Wait;
};

const TIMEOUT_MS = 30_000;
/** Two minutes in all: longer than a restart of the server takes. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

/** Names a call in its errors. Without the address: it is a secret. */
const WHAT = 'The callback of a job';

/**
 * Answers the wait of a remote job, at the `callbackUrl` that came with it; no key is needed. Tries again while the server is away,
 * for two minutes: a delivery may be repeated.
 *
 * Rejects with a `PlinthClientError`: with the server's code when it does not want the result any more (`interrupt_closed`,
 * `not_found`), else with that of the last try.
 */
export async function finishJob(
  callbackUrl: string,
  result: JobResult,
  options: JobCallbackOptions = {},
): Promise<void> {
  const { wait = waitWithTimer, signal } = options;
  for (const delayMs of [...RETRY_DELAYS_MS, null]) {
    if (signal?.aborted) throw new PlinthClientError({ code: 'aborted', message: `${WHAT} was given up.` });
    try {
      return await post(callbackUrl, result, options);
    } catch (error) {
      if (delayMs === null || !mayPass(error)) throw error;
      await wait(delayMs, signal);
    }
  }
}

/** Tells how far a remote job is, at its `progressUrl`. One try: the next word is on its way. Rejects as `finishJob` does. */
export function reportProgress(
  progressUrl: string,
  progress: JobProgress,
  options: JobCallbackOptions = {},
): Promise<void> {
  return post(progressUrl, progress, options);
}

/** Any answer below 500 is final. */
const mayPass = (error: unknown): boolean =>
  PlinthClientError.isInstance(error) && error.retryable && (error.status === 0 || error.status >= 500);

async function post(url: string, value: object, options: JobCallbackOptions): Promise<void> {
  const { signature, signal, timeoutMs = TIMEOUT_MS } = options;
  const { fetch: send = fetch } = options;
  const body = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', ...(signature && (await signed(body, signature))) };
  await withTimeout(WHAT, { wait: waitWithTimer, timeoutMs, signal }, async (limit) => {
    const response = await send(url, { method: 'POST', headers, body, signal: limit }).catch(
      (cause: unknown) => {
        const message = `${WHAT} did not reach the server. Check the connection.`;
        throw new PlinthClientError({ code: 'network', message, cause });
      },
    );
    if (!response.ok) throw await readProblem(response, WHAT);
    await response.body?.cancel();
  });
}

async function signed(
  body: string,
  { secret, header = 'x-signature' }: { secret: string; header?: string },
): Promise<Record<string, string>> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(body)));
  return { [header]: Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
