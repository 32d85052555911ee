import { type NewRun, type Run, toIso } from '@plinth/engine';
import { type MessageId, NO_USAGE, type TenantId } from '@plinth/protocol';
import type { Prisma } from '../generated/prisma/client.js';
import type { Row } from './postgres-columns.js';
import { setHead } from './postgres-locked-thread.js';
import { insertEvents, messageEvents, selectUnpublished, threadEvents } from './postgres-outbox-rows.js';
import { artifactColumns, runColumns } from './postgres-rows.js';
import { inOneStatement, insertRows } from './postgres-write-rows.js';

/** The run as it begins. */
export function newRun(input: NewRun): Run {
  return {
    id: input.runId,
    threadId: input.threadId ?? input.newThreadId,
    endUserId: input.endUserId,
    messageId: input.messageId,
    userMessageId: input.userMessageId,
    agentVersionId: input.agentVersionId,
    status: 'queued',
    reason: null,
    error: null,
    usage: NO_USAGE,
    contextCut: null,
    fence: 0,
    leaseUntil: null,
    attempts: 0,
    cancelRequestedAt: null,
    eventEpoch: 1,
    eventTail: 0,
    createdAt: input.now,
    deadlineAt: input.deadlineAt,
    finishedAt: null,
  };
}

/** Thread or its new head, the messages, the run and the events that announce it: one statement. */
export function insertRun(
  tenant: TenantId,
  input: NewRun,
  run: Run,
  thread: { headMessageId: MessageId | null } | null,
): Prisma.Sql {
  const at = toIso(input.now);
  const events = eventsOf(input, run, at);
  const writes = [
    thread
      ? setHead(tenant, run.threadId, run.messageId, at)
      : insertRows('thread', [newThread(tenant, run, input.title, at)]),
    insertRows('message', newMessages(tenant, input, run, thread?.headMessageId ?? null)),
    insertRows('run', [
      {
        ...runColumns.toRow(run),
        tenant_id: tenant,
        queued_at: at,
        idempotency_key: input.idempotency?.key ?? null,
        request_digest: input.idempotency?.requestDigest ?? null,
      },
    ]),
    ...newArtifacts(tenant, input),
    insertEvents(tenant, events, input.now),
  ];
  return inOneStatement(writes, selectUnpublished(tenant, events, writes.length - 1));
}

/** The question, unless it is an old one, and the answer to come. */
function newMessages(tenant: TenantId, input: NewRun, run: Run, head: MessageId | null): Row[] {
  const node = {
    tenant_id: tenant,
    thread_id: run.threadId,
    end_user_id: input.endUserId,
    visibility: 'chat',
    created_at: toIso(input.now),
  };
  const answer = {
    ...node,
    id: run.messageId,
    parent_id: run.userMessageId,
    role: 'assistant',
    text: null,
    attachments: null,
    run_id: run.id,
  };
  if (input.text === null) return [answer];
  const { text, attachments: sent } = input;
  const attachments = sent.length === 0 ? null : JSON.stringify(sent);
  const question = { id: run.userMessageId, parent_id: head, role: 'user', text, attachments, run_id: null };
  return [{ ...node, ...question }, answer];
}

function newArtifacts(tenant: TenantId, { artifacts }: NewRun): Prisma.Sql[] {
  if (artifacts.length === 0) return [];
  const rows = artifacts.map((artifact) => ({ tenant_id: tenant, ...artifactColumns.toRow(artifact) }));
  return [insertRows('artifact', rows)];
}

function eventsOf(input: NewRun, run: Run, at: string) {
  const { id: runId, threadId, messageId, userMessageId } = run;
  const { key: agent, version: agentVersion } = input.agent;
  return [
    ...threadEvents(threadId, [
      { type: 'thread.run_created', threadId, runId, messageId, userMessageId, at },
    ]),
    ...messageEvents(run, [{ type: 'run.started', agent, agentVersion }], input.now),
  ];
}

const newThread = (tenant: TenantId, run: Run, title: string, at: string): Row => ({
  tenant_id: tenant,
  id: run.threadId,
  title,
  end_user_id: run.endUserId,
  head_message_id: run.messageId,
  event_epoch: 1,
  event_tail: 0,
  created_at: at,
  updated_at: at,
});
