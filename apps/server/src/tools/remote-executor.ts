import type { Clock, JobCancellation, ToolExecutor, ToolInvocation, ToolOutcome } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { type Dispatcher, fetch, type Response } from 'undici';
import { cancelRemoteJob } from './cancel-remote-job.js';
import { describeNetworkError } from './describe-network-error.js';
import { readRefusal } from './read-refusal.js';
import { wasNeverSent } from './was-never-sent.js';

/** Waits before a second, third and fourth attempt. Only for tools that may run twice. */
const RETRY_DELAYS_MS = [1000, 2000, 4000];

/** `taken`: whether the service may have taken the job all the same. */
type Attempt =
  | { done: true; outcome: ToolOutcome }
  | { done: false; code: string; what: string; taken: boolean };

/**
 * Starts jobs of `remote` tools: one POST with the arguments and the one-time callback URL.
 *
 * 2xx: the service has the job. 4xx: it refuses, in its own words. No connection: it has not got the job. Anything else
 * (5xx, a connection that broke, no answer in time) leaves it unknown whether the job was taken; it is offered again only
 * if the tool is declared idempotent, always with the same idempotency key and the same callback URL.
 */
export class RemoteExecutor implements ToolExecutor {
  constructor(
    private readonly clock: Clock,
    private readonly dispatcher?: Dispatcher,
  ) {}

  async execute(_tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { tool } = invocation;
    if (tool.executor.kind !== 'remote') throw new Error(`tool ${tool.key} is not a remote tool`);
    const body = jobOf(invocation);
    const delays = tool.idempotent ? RETRY_DELAYS_MS : [];
    let last: Attempt & { done: false } = { done: false, code: '', what: '', taken: false };
    for (let attempt = 0; attempt <= delays.length; attempt += 1) {
      const delayMs = delays[attempt - 1];
      if (delayMs !== undefined) await this.clock.wait(delayMs, signal);
      const result = await this.#post(tool.executor.url, body, invocation, signal);
      if (result.done) return result.outcome;
      last = result;
    }
    return withoutAnswer(last, delays.length + 1, tool.idempotent);
  }

  async cancel(_tenant: TenantId, cancellation: JobCancellation): Promise<void> {
    const { executor } = cancellation.tool;
    if (executor.kind !== 'remote' || executor.cancelUrl === undefined) return;
    await cancelRemoteJob(executor.cancelUrl, cancellation, {
      clock: this.clock,
      dispatcher: this.dispatcher,
    });
  }

  async #post(url: string, body: string, invocation: ToolInvocation, signal: AbortSignal): Promise<Attempt> {
    signal.throwIfAborted();
    const { timeoutMs } = invocation.tool;
    const cut = new AbortController();
    const timer = new AbortController();
    const onAbort = () => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    let timedOut = false;
    this.clock.wait(timeoutMs, timer.signal).then(
      () => {
        timedOut = true;
        cut.abort();
      },
      () => undefined,
    );
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'idempotency-key': invocation.idempotencyKey,
        },
        body,
        redirect: 'error',
        signal: cut.signal,
        ...(this.dispatcher === undefined ? {} : { dispatcher: this.dispatcher }),
      });
      return await attemptOf(response);
    } catch (error) {
      signal.throwIfAborted();
      if (timedOut)
        return { done: false, code: 'timed_out', what: `gave no answer within ${timeoutMs} ms`, taken: true };
      const why = describeNetworkError(error);
      return wasNeverSent(error)
        ? { done: false, code: 'unavailable', what: `could not be reached (${why})`, taken: false }
        : { done: false, code: 'connection_lost', what: `was cut off (${why})`, taken: true };
    } finally {
      timer.abort();
      signal.removeEventListener('abort', onAbort);
    }
  }
}

function jobOf({ callId, runId, idempotencyKey, arguments: values, callback, tool }: ToolInvocation): string {
  if (callback === null) throw new Error(`remote tool ${tool.key} was invoked without a callback URL`);
  return JSON.stringify({
    callId,
    runId,
    idempotencyKey,
    arguments: values,
    callbackUrl: callback.url,
    progressUrl: callback.progressUrl,
  });
}

async function attemptOf(response: Response): Promise<Attempt> {
  if (response.status >= 400 && response.status < 500) {
    return { done: true, outcome: { kind: 'failed', error: await readRefusal(response) } };
  }
  // Nothing in the body is wanted; cancelling it frees the connection, however long the body is.
  await response.body?.cancel();
  if (response.ok) return { done: true, outcome: { kind: 'accepted' } };
  const { status } = response;
  return { done: false, code: `http_${status}`, what: `answered ${status}`, taken: true };
}

function withoutAnswer(
  { code, what, taken }: Attempt & { done: false },
  attempts: number,
  idempotent: boolean,
): ToolOutcome {
  const message = `The service of this tool ${what}`;
  if (idempotent)
    return {
      kind: 'failed',
      error: { code: 'unavailable', message: `${message}, ${attempts} times. Do not retry now.` },
    };
  return taken
    ? { kind: 'unknown', error: { code, message: `${message}. The job may have been taken.` } }
    : { kind: 'failed', error: { code, message: `${message}. The job was not taken. Do not retry now.` } };
}
