import { createHash } from 'node:crypto';
import {
  type EndUserId,
  type MessageId,
  type OnBusy,
  PlinthError,
  type RunId,
  type StartRunResponse,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { answerCreated } from './created-run.js';
import type { DoorPorts } from './door-ports.js';
import { runDeadline } from './run-deadline.js';
import { supersedeWaiting } from './supersede-waiting.js';
import { threadTitle } from './thread-title.js';

export interface StartRun {
  endUserId: EndUserId;
  /** Null: the run makes its own thread. */
  threadId: ThreadId | null;
  agent: string;
  text: string;
  onBusy: OnBusy;
  idempotencyKey: string | null;
}

/** What must be equal for a repeated idempotency key to mean the same request. */
function digestOf(request: StartRun): string {
  const { threadId, agent, text, onBusy } = request;
  return createHash('sha256')
    .update(JSON.stringify([threadId, agent, text, onBusy]))
    .digest('hex');
}

/**
 * Starts a run: user message, run and assistant message in one transaction, then a hint to the workers. With an
 * idempotency key, the same request gets the same run again.
 *
 * @throws PlinthError not_found (agent, thread), thread_busy, idempotency_key_reused
 */
export async function startRun(
  ports: DoorPorts,
  tenant: TenantId,
  request: StartRun,
): Promise<StartRunResponse> {
  const { ledger, agents, ids, clock, config } = ports;
  const [agent, current] = await Promise.all([agents.newest(tenant, request.agent), config.current(tenant)]);
  if (!agent)
    throw new PlinthError(
      'not_found',
      `There is no agent "${request.agent}". Publish it, or use the key of another.`,
    );
  const now = clock.now();
  const input = {
    runId: ids.next('run') as RunId,
    messageId: ids.next('message') as MessageId,
    userMessageId: ids.next('message') as MessageId,
    threadId: request.threadId,
    newThreadId: ids.next('thread') as ThreadId,
    title: threadTitle(request.text),
    endUserId: request.endUserId,
    agentVersionId: agent.id,
    agent: { key: agent.definition.key, version: agent.version },
    text: request.text,
    attachments: [],
    artifacts: [],
    idempotency:
      request.idempotencyKey === null
        ? null
        : { key: request.idempotencyKey, requestDigest: digestOf(request) },
    now,
    deadlineAt: runDeadline(current, agent, now),
  };
  const giveWay = supersedeWaiting(request.onBusy, now);
  const outcome = await ledger.createRun(tenant, input, giveWay.whenActive);
  return answerCreated(ports, tenant, outcome, giveWay);
}
