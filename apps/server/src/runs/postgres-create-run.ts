import {
  type CreateRunOutcome,
  type Decision,
  type LockedRun,
  type NewRun,
  type OutboxEntry,
  type Run,
  toIso,
} from '@plinth/engine';
import { type MessageId, NO_USAGE, type TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import { writeDecision } from './postgres-changes.js';
import type { Row } from './postgres-columns.js';
import { lockRun, readOpenParts } from './postgres-locked-run.js';
import {
  insertEvents,
  messageEvents,
  type OutboxRow,
  selectUnpublished,
  threadEvents,
  toOutboxEntries,
} from './postgres-outbox-rows.js';
import { runColumns } from './postgres-rows.js';
import { inOneStatement, insertRows } from './postgres-write-rows.js';

/** The unique index that a second run under the same idempotency key runs into. */
export const IDEMPOTENCY_INDEX = 'run_idempotency_key';

/**
 * `Ledger.createRun` inside a transaction. Locks are taken thread first, then its active run. The key is
 * looked up under the thread's lock: before it, a repeat could take the first request's own run for a run
 * that is in the way. For a new thread there is nothing to lock; there the unique index decides.
 */
export async function createRun(
  tx: TenantTransaction,
  tenant: TenantId,
  input: NewRun,
  whenActive: (active: LockedRun) => Decision | null,
): Promise<CreateRunOutcome> {
  const thread = input.threadId === null ? null : await lockThread(tx, tenant, input);
  if (input.threadId !== null && thread === null) return { kind: 'thread_not_found' };

  const earlier = input.idempotency && (await findByKey(tx, tenant, input, input.idempotency.key));
  if (earlier) {
    if (earlier.digest !== input.idempotency?.requestDigest) return { kind: 'key_reused' };
    return { kind: 'repeated', run: earlier.run };
  }

  const active = thread && (await lockActiveRun(tx, tenant, input));
  const closing: OutboxEntry[] = [];
  if (active) {
    const decision = whenActive(await readOpenParts(tx, tenant, active));
    if (decision === null) return { kind: 'busy', activeRunId: active.id };
    closing.push(...(await writeDecision(tx, tenant, active, decision, input.now)));
  }

  const run = newRun(input);
  const rows = await tx.$queryRaw<OutboxRow[]>(insertion(tenant, input, run, thread));
  return { kind: 'created', run, superseded: active || null, outbox: merged(closing, toOutboxEntries(rows)) };
}

/** The thread's stream is in both: what closes the run before and what announces the new one. */
function merged(before: readonly OutboxEntry[], after: readonly OutboxEntry[]): OutboxEntry[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...after.filter(({ id }) => !known.has(id))];
}

interface LockedThread {
  headMessageId: MessageId | null;
}

async function lockThread(
  tx: TenantTransaction,
  tenant: TenantId,
  input: NewRun,
): Promise<LockedThread | null> {
  const [row] = await tx.$queryRaw<LockedThread[]>`
    SELECT head_message_id AS "headMessageId" FROM thread
     WHERE tenant_id = ${tenant} AND id = ${input.threadId} AND end_user_id = ${input.endUserId}
       FOR NO KEY UPDATE`;
  return row ?? null;
}

async function findByKey(tx: TenantTransaction, tenant: TenantId, input: NewRun, key: string) {
  const [row] = await tx.$queryRaw<{ run: Row; digest: string }[]>`
    SELECT to_json(r) AS run, r.request_digest AS digest FROM run r
     WHERE r.tenant_id = ${tenant} AND r.end_user_id = ${input.endUserId} AND r.idempotency_key = ${key}`;
  return row ? { run: runColumns.fromRow(row.run), digest: row.digest } : null;
}

function lockActiveRun(tx: TenantTransaction, tenant: TenantId, input: NewRun): Promise<Run | null> {
  const active = Prisma.sql`r.thread_id = ${input.threadId} AND r.status IN ('queued', 'running', 'interrupted')`;
  return lockRun(tx, tenant, active);
}

function newRun(input: NewRun): Run {
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
    fence: 0,
    leaseUntil: null,
    attempts: 0,
    cancelRequestedAt: null,
    eventEpoch: 1,
    eventTail: 0,
    createdAt: input.now,
    finishedAt: null,
  };
}

/** Thread or its new head, both messages, the run and the events that announce it: one statement. */
function insertion(tenant: TenantId, input: NewRun, run: Run, thread: LockedThread | null): Prisma.Sql {
  const at = toIso(input.now);
  const node = {
    tenant_id: tenant,
    thread_id: run.threadId,
    end_user_id: input.endUserId,
    visibility: 'chat',
    created_at: at,
  };
  const question = {
    id: run.userMessageId,
    parent_id: thread?.headMessageId ?? null,
    role: 'user',
    text: input.text,
    run_id: null,
  };
  const answer = {
    id: run.messageId,
    parent_id: run.userMessageId,
    role: 'assistant',
    text: null,
    run_id: run.id,
  };
  const events = [
    ...threadEvents(run.threadId, [
      {
        type: 'thread.run_created',
        threadId: run.threadId,
        runId: run.id,
        messageId: run.messageId,
        userMessageId: run.userMessageId,
        at,
      },
    ]),
    ...messageEvents(
      run,
      [{ type: 'run.started', agent: input.agent.key, agentVersion: input.agent.version }],
      input.now,
    ),
  ];
  const writes = [
    thread ? moveHead(tenant, run, at) : insertRows('thread', [newThread(tenant, run, input.title, at)]),
    insertRows('message', [
      { ...node, ...question },
      { ...node, ...answer },
    ]),
    insertRows('run', [
      {
        ...runColumns.toRow(run),
        tenant_id: tenant,
        queued_at: at,
        idempotency_key: input.idempotency?.key ?? null,
        request_digest: input.idempotency?.requestDigest ?? null,
      },
    ]),
    insertEvents(tenant, events, input.now),
  ];
  return inOneStatement(writes, selectUnpublished(tenant, events, writes.length - 1));
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

const moveHead = (tenant: TenantId, run: Run, at: string): Prisma.Sql => Prisma.sql`
  UPDATE thread SET head_message_id = ${run.messageId}, updated_at = ${at}::timestamptz
   WHERE tenant_id = ${tenant} AND id = ${run.threadId}`;
