import { createHash } from 'node:crypto';
import {
  type EndUserId,
  type MessageId,
  PlinthError,
  type RunId,
  type StartRunResponse,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { AgentCatalog } from '../agent-catalog.js';
import type { Clock } from '../clock.js';
import type { EventWriter } from '../events/event-writer.js';
import type { IdSource } from '../id-source.js';
import { closeRun } from './close-run.js';
import type { CreateRunOutcome, Ledger } from './ledger.js';
import { type RetirePorts, retireRun } from './retire-run.js';
import type { Run } from './run.js';
import type { Scheduler } from './scheduler.js';
import { threadTitle } from './thread-title.js';

export interface DoorPorts extends RetirePorts {
  ledger: Ledger;
  writer: EventWriter;
  scheduler: Scheduler;
  agents: AgentCatalog;
  ids: IdSource;
  clock: Clock;
}

export interface StartRun {
  endUserId: EndUserId;
  /** Null: the run makes its own thread. */
  threadId: ThreadId | null;
  agent: string;
  text: string;
  onBusy: 'supersede' | 'reject';
  idempotencyKey: string | null;
}

const responseOf = (run: Run): StartRunResponse => ({
  runId: run.id,
  messageId: run.messageId,
  threadId: run.threadId,
  userMessageId: run.userMessageId,
});

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
  const { ledger, agents, ids, clock } = ports;
  const agent = await agents.newest(tenant, request.agent);
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
    idempotency:
      request.idempotencyKey === null
        ? null
        : { key: request.idempotencyKey, requestDigest: digestOf(request) },
    now,
  };
  const supersede = { status: 'cancelled', reason: 'superseded', error: null, now } as const;
  const outcome = await ledger.createRun(tenant, input, (active) =>
    request.onBusy === 'supersede' && active.run.status === 'interrupted'
      ? closeRun(active, { ...supersede, usage: active.run.usage })
      : null,
  );
  switch (outcome.kind) {
    case 'thread_not_found':
      throw new PlinthError('not_found', 'There is no such thread.');
    case 'busy':
      throw new PlinthError(
        'thread_busy',
        'A run of this thread is working. Wait for its end or cancel it, then send again.',
        {
          activeRunId: outcome.activeRunId,
        },
      );
    case 'key_reused':
      throw new PlinthError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new one.',
      );
    case 'repeated':
      return responseOf(outcome.run);
    case 'created':
      await announce(ports, tenant, outcome);
      return responseOf(outcome.run);
  }
}

/** Hints only: everything is committed, and the sweeper does what fails here. */
async function announce(
  ports: DoorPorts,
  tenant: TenantId,
  { run, superseded, outbox }: Extract<CreateRunOutcome, { kind: 'created' }>,
): Promise<void> {
  const { writer, scheduler, observer } = ports;
  try {
    // Before the wake: the worker streams at once, and its text stands behind the beginning of the run.
    await writer.publish(tenant, outbox);
    await scheduler.wake(tenant, run.id);
  } catch (error) {
    observer.problem(tenant, { runId: run.id, doing: 'announce the run' }, error);
  }
  if (superseded) {
    observer.runEnded(tenant, 'superseded');
    await retireRun(ports, tenant, superseded);
  }
}
