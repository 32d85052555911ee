import type { Answer, InterruptView, JsonValue } from '@plinth/protocol';
import type { Outbox } from '../outbox/outbox.js';
import type { AnswerInterrupt } from '../thread/answer-interrupt.js';
import type { ThreadTools } from '../thread/thread-tools.js';
import { linkAbort } from '../time/linked-abort.js';
import { keepLease, leaseRequester, takeLease } from './hold-lease.js';
import { checkWith } from './standard-schema.js';
import type { ToolQuestions } from './tool-questions.js';
import type { AnyToolSpec } from './tool-registry.js';
import { untilVisible } from './until-visible.js';

export type FrontendInterrupt = Extract<InterruptView, { kind: 'frontend' }>;

type Run = {
  interrupt: FrontendInterrupt;
  spec: AnyToolSpec;
  /** Names this page, from its loading to its end. */
  clientId: string;
  outbox: Outbox;
  answer: AnswerInterrupt;
  questions: ToolQuestions;
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

async function execute({ interrupt, spec }: Run, signal: AbortSignal): Promise<JsonValue> {
  const { id: interruptId, callId } = interrupt;
  const checked = spec.parameters
    ? await checkWith(spec.parameters, interrupt.arguments)
    : { value: interrupt.arguments };
  if ('problem' in checked) throw Object.assign(new Error(checked.problem), { code: 'arguments_invalid' });
  const returned = await spec.execute(checked.value, { interruptId, callId, signal });
  // What is no JSON is found out here, where it can still be told.
  return JSON.parse(JSON.stringify(returned ?? null)) as JsonValue;
}

/** The person's no, or what came of the tool. Null when nobody wants it any more. */
async function answerOf(run: Run, signal: AbortSignal): Promise<Answer | null> {
  const { interrupt, spec, clientId, questions } = run;
  if (spec.permission === 'ask') {
    const decision = await questions.ask(interrupt.id, signal);
    if (decision === null) return null;
    if (!decision.allowed)
      return { type: 'decline', reason: decision.reason ?? 'The user does not allow this.' };
  }
  try {
    return { type: 'result', clientId, value: await execute(run, signal) };
  } catch (cause) {
    return { type: 'failure', clientId, error: failureOf(cause) };
  }
}

/** Carries the tool out under the lease, if this page gets it. The lease is kept until the answer has arrived. */
async function runLeased(tools: ThreadTools, run: Run): Promise<void> {
  const { interrupt, clientId, answer, signal } = run;
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
  // What was done must not be lost with a connection: the outbox has it from here on.
  if (given !== null && !isLost && !signal.aborted) await answer(interrupt.id, given).catch(() => undefined);
  renewing.abort();
  renewing.release();
  work.release();
}

/**
 * Runs one frontend tool in this page: of several pages one does. What a page before this one has done is delivered first.
 * Never rejects.
 */
export async function runFrontendTool(tools: ThreadTools, run: Run): Promise<void> {
  const { interrupt, spec, outbox, answer, signal } = run;
  await outbox.settled(interrupt.id);
  if (signal.aborted) return;
  if (spec.permission === 'deny') {
    const reason = 'The page does not allow this.';
    await answer(interrupt.id, { type: 'decline', reason }).catch(() => undefined);
    return;
  }
  // A question in a tab that nobody sees would wait for ever, and keep the tool from the one that is seen.
  if (spec.permission === 'ask') await untilVisible(tools.streams, signal);
  if (!signal.aborted) await runLeased(tools, run);
}
