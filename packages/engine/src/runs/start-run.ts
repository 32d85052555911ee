import { createHash } from 'node:crypto';
import {
  type ArtifactId,
  type AttachmentInput,
  type EndUserId,
  type MessageId,
  type OnBusy,
  PlinthError,
  type RunId,
  type StartRunResponse,
  type TenantId,
  type ThreadId,
} from '@plinth/protocol';
import { newAttachments } from '../attachments/new-attachments.js';
import { artifactReader } from '../tools/result-artifacts.js';
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
  /** Empty only when something is attached. */
  text: string;
  attachments?: readonly AttachmentInput[];
  onBusy: OnBusy;
  idempotencyKey: string | null;
}

/** What must be equal for a repeated idempotency key to mean the same request. */
function digestOf(request: StartRun): string {
  const { threadId, agent, text, onBusy, attachments = [] } = request;
  const what = [threadId, agent, text, onBusy, ...(attachments.length === 0 ? [] : [attachments])];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

/**
 * Starts a run: user message, run and assistant message in one transaction, then a hint to the workers. With an
 * idempotency key, the same request gets the same run again.
 *
 * @throws PlinthError not_found (agent, thread), thread_busy, idempotency_key_reused, and those of `AttachmentSource`
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
  const { endUserId, threadId, text, idempotencyKey } = request;
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, requestDigest: digestOf(request) };
  const giveWay = supersedeWaiting(request.onBusy, clock.now());
  const attached = request.attachments ?? [];
  // What was attached may be gone when a request is repeated: its run is not.
  const earlier =
    attached.length > 0 && idempotency ? await ledger.findRepeated(tenant, endUserId, idempotency) : null;
  if (earlier) return answerCreated(ports, tenant, earlier, giveWay);
  const found =
    attached.length > 0 ? await ports.attachments.find(tenant, { endUserId, threadId }, attached) : [];
  const now = clock.now();
  const newThreadId = ids.next('thread') as ThreadId;
  const input = {
    runId: ids.next('run') as RunId,
    messageId: ids.next('message') as MessageId,
    userMessageId: ids.next('message') as MessageId,
    threadId,
    newThreadId,
    title: threadTitle(text || (found[0]?.file.title ?? '')),
    endUserId,
    agentVersionId: agent.id,
    agent: { key: agent.definition.key, version: agent.version },
    text,
    ...newAttachments(found, artifactReader(agent), {
      threadId: threadId ?? newThreadId,
      endUserId,
      now,
      nextArtifactId: () => ids.next('artifact') as ArtifactId,
    }),
    idempotency,
    now,
    deadlineAt: runDeadline(current, agent, now),
  };
  const outcome = await ledger.createRun(tenant, input, giveWay.whenActive);
  return answerCreated(ports, tenant, outcome, giveWay);
}
