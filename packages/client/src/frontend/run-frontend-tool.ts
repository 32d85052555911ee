import type { Answer, InterruptView, JsonValue } from '@plinth/protocol';
import { toClientError } from '../errors/plinth-client-error.js';
import { backoffMs, FIRST_DELAY_MS } from '../stream/backoff.js';
import type { AnswerInterrupt } from '../thread/interrupt-answerer.js';
import type { ThreadTools } from '../thread/thread-tools.js';
import { linkAbort } from '../time/linked-abort.js';
import type { FrontendTool } from './frontend-tool.js';
import { keepLease, leaseRequester, takeLease } from './hold-lease.js';

export type FrontendInterrupt = Extract<InterruptView, { kind: 'frontend' }>;

type Run = {
  interrupt: FrontendInterrupt;
  handler: FrontendTool;
  /** Names this page, from its loading to its end. */
  clientId: string;
  answer: AnswerInterrupt;
  /** Aborts when the interrupt is no longer open. */
  signal: AbortSignal;
};

const LONGEST_CODE = 100;
const LONGEST_MESSAGE = 2000;

function failureOf(cause: unknown): { code: string; message: string } {
  const { code, message } = (typeof cause === 'object' && cause !== null ? cause : {}) as Record<
    string,
    unknown
  >;
  return {
    code: (typeof code === 'string' && code !== '' ? code : 'handler_failed').slice(0, LONGEST_CODE),
    message: (typeof message === 'string' ? message : String(cause)).slice(0, LONGEST_MESSAGE),
  };
}

async function answerOf({ interrupt, handler, clientId }: Run, signal: AbortSignal): Promise<Answer> {
  const { id: interruptId, callId } = interrupt;
  try {
    const returned = await handler(interrupt.arguments, { interruptId, callId, signal });
    // What is no JSON is found out here, where it can still be told.
    const text = JSON.stringify(returned ?? null);
    return { type: 'result', clientId, value: JSON.parse(text) as JsonValue };
  } catch (cause) {
    return { type: 'failure', clientId, error: failureOf(cause) };
  }
}

/** Sends the answer until the server has taken or refused it: what was done must not be lost with a connection. */
async function deliver(
  { streams }: ThreadTools,
  { interrupt, answer, signal }: Run,
  given: Answer,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await answer(interrupt.id, given);
      return;
    } catch (cause) {
      if (!toClientError(cause, '').retryable) return;
      await streams.timing.wait(backoffMs(attempt, FIRST_DELAY_MS, streams.random()), signal);
    }
  }
}

/** Runs one frontend tool in this page, if the page gets the lease: of several pages one does. Never rejects. */
export async function runFrontendTool(tools: ThreadTools, run: Run): Promise<void> {
  const { interrupt, clientId, signal } = run;
  const request = leaseRequester(tools, interrupt.id, clientId, signal);
  const lease = await takeLease(tools, request, signal);
  if (lease === null) return;
  const work = linkAbort(signal);
  const renewing = linkAbort(signal);
  let isLost = false;
  void keepLease(tools, request, lease, renewing.signal, () => {
    isLost = true;
    work.abort();
  });
  const given = await answerOf(run, work.signal);
  // The lease is kept until the answer has arrived: delivering may take its time as well.
  if (!isLost) await deliver(tools, run, given);
  renewing.abort();
  renewing.release();
  work.release();
}
