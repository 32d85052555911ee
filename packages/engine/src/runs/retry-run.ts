import { createHash } from 'node:crypto';
import {
  type MessageId,
  type OnBusy,
  PlinthError,
  type RunId,
  type StartRunResponse,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import { answerCreated } from './created-run.js';
import type { DoorPorts } from './door-ports.js';
import type { Viewer } from './ledger-terms.js';
import type { Run } from './run.js';
import { runDeadline } from './run-deadline.js';
import { supersedeWaiting } from './supersede-waiting.js';

export interface RetryRun {
  runId: RunId;
  agentVersion: 'newest' | 'same';
  /** Null: in the thread of the run. A fork that shares the run's user message may be named instead. */
  threadId: ThreadId | null;
  onBusy: OnBusy;
  idempotencyKey: string | null;
}

/** Begins with a word that no other request's digest begins with: keys are shared by all ways to make a run. */
function digestOf({ runId, agentVersion, threadId, onBusy }: RetryRun): string {
  return createHash('sha256')
    .update(JSON.stringify(['retry', runId, agentVersion, threadId, onBusy]))
    .digest('hex');
}

async function versionFor(
  { agents }: DoorPorts,
  tenant: TenantId,
  run: Run,
  wanted: RetryRun['agentVersion'],
): Promise<AgentVersion> {
  const before = await agents.version(tenant, run.agentVersionId);
  if (wanted === 'same') return before;
  const newest = await agents.newest(tenant, before.definition.key);
  if (!newest) throw new Error(`agent "${before.definition.key}" has a version and no newest one`);
  return newest;
}

/**
 * Answers the user message of a run that has ended once more: a new run whose assistant message is a sibling of the
 * old one, and the new head. The old answer stays as it is, and the head can be moved back to it.
 *
 * @throws PlinthError not_found (run, thread), thread_busy (also while the run itself is active, even if it waits),
 *   idempotency_key_reused
 */
export async function retryRun(
  ports: DoorPorts,
  tenant: TenantId,
  viewer: Viewer,
  request: RetryRun,
): Promise<StartRunResponse> {
  const { ledger, ids, clock, config } = ports;
  const run = await ledger.findRun(tenant, viewer, request.runId);
  if (!run) throw new PlinthError('not_found', 'There is no such run.');
  const [agent, current] = await Promise.all([
    versionFor(ports, tenant, run, request.agentVersion),
    config.current(tenant),
  ]);
  const now = clock.now();
  const input = {
    runId: ids.next('run') as RunId,
    messageId: ids.next('message') as MessageId,
    userMessageId: run.userMessageId,
    threadId: request.threadId ?? run.threadId,
    newThreadId: ids.next('thread') as ThreadId,
    title: '',
    endUserId: run.endUserId,
    agentVersionId: agent.id,
    agent: { key: agent.definition.key, version: agent.version },
    text: null,
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
  const outcome = await ledger.createRun(tenant, input, (active) =>
    // What still waits has not failed: it is answered or cancelled, not closed by a retry of itself.
    active.run.id === run.id ? null : giveWay.whenActive(active),
  );
  return answerCreated(ports, tenant, outcome, giveWay);
}
