import {
  type Answer,
  type AnsweredBy,
  type AnswerResponse,
  type InterruptId,
  PlinthError,
  type TenantId,
} from '@plinth/protocol';
import { toIso } from '../clock.js';
import type { DoorPorts } from '../runs/door-ports.js';
import type { FoundInterrupt, LockedRun, Viewer } from '../runs/ledger.js';
import { type Decision, type InterruptPatch, joinDecisions } from '../runs/ledger-change.js';
import type { Interrupt, PageAnswer, StoredAnswer } from '../runs/run.js';
import { toolOfCall } from '../tools/offered-tools.js';
import { closeWait } from '../tools/settle-call.js';
import { checkAnswer } from './check-answer.js';
import { finishAnswer } from './finish-answer.js';

/**
 * The one door through which an outside event resumes a run. A form, a confirmation, a job's callback and the
 * passing of time all come here, and meet the parking worker under the run row's lock: the first answer wins,
 * is kept even if the run has not parked yet, and puts a parked run back in the queue.
 */

export interface GivenAnswer {
  /** Made by the caller. The same id gets the first response again. */
  requestId: string;
  answer: StoredAnswer;
  by: AnsweredBy;
  /** The page that answers for a frontend tool. */
  clientId?: string;
}

type Outcome =
  | { kind: 'accepted' | 'repeated'; answeredAt: number }
  | { kind: 'late' }
  | { kind: 'too_early' }
  | { kind: 'not_holder' };

/** The request that closed this interrupt, once more. The id of an expiry can be guessed: it repeats expiries only. */
function isRepeat(interrupt: Interrupt, given: GivenAnswer): boolean {
  return (
    interrupt.answerRequestId === given.requestId &&
    (interrupt.state === 'closed') === (given.answer.type === 'expired')
  );
}

/** A lost job has called back: nobody needs to be asked any more whether it took effect. */
function closeQuestions({ waits }: LockedRun, { callId }: Interrupt): Decision[] {
  return waits
    .filter((other) => other.callId === callId && other.kind === 'question' && other.state === 'open')
    .map((question) => closeWait(question, 'settled'));
}

/** Pure: what this answer does to the run as it stands under its lock. */
export function decideAnswer(
  locked: LockedRun,
  interruptId: InterruptId,
  given: GivenAnswer,
  now: number,
): { decision: Decision; result: Outcome } {
  const nothing: Decision = { changes: [], events: [] };
  const wait = locked.waits.find((candidate) => candidate.id === interruptId);
  if (wait?.state !== 'open') {
    const repeated = wait?.answeredAt != null && isRepeat(wait, given);
    return {
      decision: nothing,
      result: repeated ? { kind: 'repeated', answeredAt: wait.answeredAt ?? now } : { kind: 'late' },
    };
  }
  const expired = given.answer.type === 'expired';
  // Since the sweeper looked, a page may have taken or renewed its lease: the wait has more time now.
  if (expired && wait.expiresAt !== null && wait.expiresAt > now)
    return { decision: nothing, result: { kind: 'too_early' } };
  const byPage = wait.kind === 'frontend' && given.answer.type === 'callback';
  if (byPage && wait.lease?.clientId !== given.clientId)
    return { decision: nothing, result: { kind: 'not_holder' } };
  const set: InterruptPatch = {
    state: expired ? 'closed' : 'answered',
    closedWhy: expired ? 'expired' : null,
    answer: given.answer,
    answeredBy: given.by,
    answeredAt: now,
    answerRequestId: given.requestId,
  };
  const decision: Decision = {
    changes: [
      { type: 'interrupt.update', interruptId, set },
      ...(locked.run.status === 'interrupted'
        ? [{ type: 'run.update' as const, set: { status: 'queued' as const } }]
        : []),
    ],
    events: [
      expired
        ? { type: 'interrupt.closed', interruptId, why: 'expired' }
        : { type: 'interrupt.answered', interruptId, by: given.by },
    ],
  };
  const closed = given.answer.type === 'callback' ? closeQuestions(locked, wait) : [];
  return {
    decision: { ...joinDecisions([decision, ...closed]), at: now },
    result: { kind: 'accepted', answeredAt: now },
  };
}

/** Why an interrupt that is no longer open takes nothing any more. */
export function refusal(interrupt: Interrupt): PlinthError {
  if (interrupt.state === 'closed') {
    return new PlinthError(
      'interrupt_closed',
      `This was closed before your answer came: ${interrupt.closedWhy ?? 'the run has ended'}.`,
      {
        why: interrupt.closedWhy,
      },
    );
  }
  const answeredAt = interrupt.answeredAt === null ? null : toIso(interrupt.answeredAt);
  return new PlinthError(
    'interrupt_already_answered',
    'Somebody has answered this already. Nothing was changed.',
    {
      by: interrupt.answeredBy,
      answeredAt,
    },
  );
}

const notFound = () => new PlinthError('not_found', 'There is no such interrupt.');

async function give(
  ports: DoorPorts,
  tenant: TenantId,
  found: FoundInterrupt,
  given: GivenAnswer,
): Promise<AnswerResponse> {
  const { ledger, writer, scheduler, clock, observer } = ports;
  const { id: runId, messageId } = found.run;
  const interruptId = found.interrupt.id;
  const outcome = await ledger.transact(tenant, runId, (locked) =>
    decideAnswer(locked, interruptId, given, clock.now()),
  );
  if (!outcome) throw notFound();
  let { result } = outcome;
  if (result.kind === 'too_early')
    throw new PlinthError('invalid_request', 'The time of this interrupt has not passed.');
  if (result.kind === 'not_holder')
    throw new PlinthError('lease_not_held', 'This page does not hold the lease: its result is not taken.');
  if (result.kind === 'late') {
    // Under the lock it was final, so this reading is final too.
    const final = (await ledger.findInterrupt(tenant, { endUserId: null }, interruptId))?.interrupt;
    if (!final) throw notFound();
    if (final.answeredAt === null || !isRepeat(final, given)) throw refusal(final);
    result = { kind: 'repeated', answeredAt: final.answeredAt };
  }
  try {
    await Promise.all([scheduler.wake(tenant, runId), writer.publish(tenant, outcome.outbox)]);
  } catch (error) {
    observer.problem(tenant, { runId, doing: 'announce the answer' }, error);
  }
  return { interruptId, runId, messageId, answeredAt: toIso(result.answeredAt) };
}

/** What a page brings is a result like that of a job, and is finished like one. */
function outcomeOf(answer: PageAnswer): Extract<StoredAnswer, { type: 'callback' }> {
  if (answer.type === 'failure') return { type: 'callback', outcome: { ok: false, error: answer.error } };
  return { type: 'callback', outcome: { ok: true, result: answer.value, files: [] } };
}

/**
 * A person's (or a back end's) answer.
 *
 * @throws PlinthError not_found, answer_invalid, interrupt_already_answered (with who and when), interrupt_closed,
 *   lease_not_held (a page that answers for a frontend tool and does not hold its lease)
 */
export async function answerInterrupt(
  ports: DoorPorts,
  tenant: TenantId,
  viewer: Viewer,
  interruptId: InterruptId,
  given: Omit<GivenAnswer, 'answer' | 'clientId'> & { answer: Answer },
): Promise<AnswerResponse> {
  const found = await ports.ledger.findInterrupt(tenant, viewer, interruptId);
  if (!found) throw notFound();
  if (found.interrupt.state === 'open') {
    const agent = await ports.agents.version(tenant, found.run.agentVersionId);
    const isAgents = agent.tools.some(({ key }) => key === found.call.tool);
    const record = isAgents ? null : await ports.ledger.loadTail(tenant, found.run.id, 0);
    const tool = toolOfCall(agent, record?.calls ?? [], found.call);
    if (!tool) throw new Error(`run ${found.run.id} waits for a tool that it was not offered`);
    checkAnswer(found.interrupt, tool, given.answer);
  }
  const { answer } = given;
  if (answer.type !== 'result' && answer.type !== 'failure')
    return give(ports, tenant, found, { ...given, answer });
  const finished = await finishAnswer(ports, tenant, found, outcomeOf(answer));
  return give(ports, tenant, found, { ...given, answer: finished, clientId: answer.clientId });
}

/**
 * An answer of the platform's own making: a job's callback, the passing of time. The caller has shown that it may.
 *
 * @throws PlinthError not_found, interrupt_already_answered, interrupt_closed
 */
export async function answerFromOutside(
  ports: DoorPorts,
  tenant: TenantId,
  interruptId: InterruptId,
  given: GivenAnswer & { answer: Extract<StoredAnswer, { type: 'callback' | 'expired' }> },
): Promise<AnswerResponse> {
  const found = await ports.ledger.findInterrupt(tenant, { endUserId: null }, interruptId);
  if (!found) throw notFound();
  const answer = await finishAnswer(ports, tenant, found, given.answer);
  return give(ports, tenant, found, { ...given, answer });
}
