import type { EndReason, EventBody, RunError, Usage } from '@plinth/protocol';
import { toIso } from '../clock.js';
import { closeWait, consume, failCall } from '../tools/settle-call.js';
import type { LockedRun } from './ledger.js';
import { type Decision, joinDecisions } from './ledger-change.js';
import type { Interrupt, ToolCall } from './run.js';

export interface Ending {
  status: 'completed' | 'failed' | 'cancelled';
  reason: EndReason;
  error: RunError | null;
  usage: Usage;
  now: number;
  /**
   * Calls that were started and are known to do no harm by it: they never began, or may happen twice. Left out: none is
   * known to be.
   */
  isHarmless?: (call: ToolCall) => boolean;
}

function closeInterrupt(interrupt: Interrupt, why: 'cancelled' | 'superseded', now: number): Decision {
  return interrupt.state === 'open' ? closeWait(interrupt, why) : consume(interrupt, now);
}

/** Whether its side effect may have happened. A job whose service has it is under way and is told to stop. */
function isInDoubt(call: ToolCall, { isHarmless }: Ending): boolean {
  return call.status === 'started' && call.acceptedAt === null && !isHarmless?.(call);
}

const ENDED = {
  superseded: 'The user wrote a new message instead.',
  cancelled: 'The run ended before this call did.',
};

function endOpenCall(
  call: ToolCall,
  why: 'cancelled' | 'superseded',
  waits: readonly Interrupt[],
  ending: Ending,
): Decision {
  const answer = waits.find(
    ({ callId, answer }) => callId === call.id && answer?.type === 'callback',
  )?.answer;
  // Its job has said what came of it, and nobody will use that any more.
  if (answer?.type === 'callback') {
    const came = answer.outcome.ok ? 'It had succeeded; do not repeat it.' : 'It had failed.';
    return failCall(call, why, { code: why, message: `${ENDED[why]} ${came}` }, ending.now);
  }
  if (isInDoubt(call, ending)) {
    const message = 'The run ended while this was under way. Whether it took effect is not known.';
    return failCall(call, 'unknown', { code: 'outcome_unknown', message }, ending.now);
  }
  return failCall(call, why, { code: why, message: ENDED[why] }, ending.now);
}

/**
 * Ends a run, whatever it was doing: every open call gets a result (a thread with an unanswered call would be
 * refused by the model for ever), every open interrupt closes, and the one terminal event is written.
 */
export function closeRun(locked: LockedRun, ending: Ending): Decision {
  const { run, openCalls, waits } = locked;
  const { status, reason, error, usage, now } = ending;
  const why = reason === 'superseded' ? 'superseded' : 'cancelled';
  const finished: EventBody = { type: 'run.finished', status, reason, usage, error };
  return joinDecisions([
    ...waits.map((interrupt) => closeInterrupt(interrupt, why, now)),
    ...openCalls.map((call) => endOpenCall(call, why, waits, ending)),
    {
      changes: [
        { type: 'run.update', set: { status, reason, error, usage, finishedAt: now, leaseUntil: null } },
      ],
      events: [finished],
      threadEvents: [
        {
          type: 'thread.run_finished',
          threadId: run.threadId,
          runId: run.id,
          messageId: run.messageId,
          at: toIso(now),
        },
      ],
    },
  ]);
}
