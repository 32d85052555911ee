import {
  applyChanges,
  type CreateRunOutcome,
  type Decision,
  hasEnded,
  type LockedRun,
  type NewRun,
  type StreamRef,
  toIso,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { aRun } from './builders.js';
import type { MemoryOutbox } from './memory-outbox.js';
import { lockedRun, type RunRow, type TenantRows } from './memory-rows.js';

interface Tables {
  rows: TenantRows;
  outbox: MemoryOutbox;
  commit(row: RunRow, decision: Decision): void;
}

/** `Ledger.createRun` of the in-memory ledger: everything is decided before the first row is written. */
export function createRun(
  tables: Tables,
  tenant: TenantId,
  input: NewRun,
  whenActive: (active: LockedRun) => Decision | null,
): CreateRunOutcome {
  const { rows } = tables;
  const thread = input.threadId === null ? null : rows.threads.get(input.threadId);
  if (thread === undefined || (thread && thread.endUserId !== input.endUserId)) {
    return { kind: 'thread_not_found' };
  }

  const earlier = input.idempotency && findByKey(rows, input, input.idempotency.key);
  if (earlier) {
    if (earlier.idempotency?.requestDigest !== input.idempotency?.requestDigest)
      return { kind: 'key_reused' };
    return { kind: 'repeated', run: structuredClone(earlier.record.run) };
  }

  const active = [...rows.runs.values()].find(
    ({ record: { run } }) => run.threadId === thread?.id && !hasEnded(run.status),
  );
  if (active) {
    const decision = whenActive(lockedRun(active));
    if (decision === null) return { kind: 'busy', activeRunId: active.record.run.id };
    const after = applyChanges(active.record, decision.changes);
    if (!hasEnded(after.run.status)) throw new Error(`thread ${after.run.threadId} has an active run`);
    tables.commit(active, decision);
  }
  const run = insertRun(tables, tenant, input);
  const streams: StreamRef[] = [
    ...(active ? [{ kind: 'message' as const, id: active.record.run.messageId }] : []),
    { kind: 'thread', id: run.threadId },
    { kind: 'message', id: run.messageId },
  ];
  return {
    kind: 'created',
    run: structuredClone(run),
    superseded: active ? structuredClone(active.record.run) : null,
    outbox: tables.outbox.unpublished(tenant, streams),
  };
}

function findByKey(rows: TenantRows, input: NewRun, key: string): RunRow | undefined {
  return [...rows.runs.values()].find(
    ({ idempotency, record }) => idempotency?.key === key && record.run.endUserId === input.endUserId,
  );
}

function insertRun({ rows, outbox }: Tables, tenant: TenantId, input: NewRun) {
  const { runId, now: createdAt, messageId, userMessageId, endUserId, agentVersionId, agent, text } = input;
  const threadId = input.threadId ?? input.newThreadId;
  const thread = rows.threads.get(threadId);
  const run = aRun({ id: runId, threadId, endUserId, messageId, userMessageId, agentVersionId, createdAt });
  const parentId = thread?.headMessageId ?? null;
  rows.messages.set(userMessageId, { id: userMessageId, parentId, role: 'user', text });
  rows.messages.set(messageId, { id: messageId, parentId: userMessageId, role: 'assistant', runId });
  if (thread) thread.headMessageId = messageId;
  else {
    const position = { eventEpoch: run.eventEpoch, eventTail: run.eventTail };
    rows.threads.set(threadId, { id: threadId, endUserId, headMessageId: messageId, ...position });
  }
  const record = { run, turns: [], calls: [], interrupts: [], artifacts: [] };
  rows.runs.set(runId, { record, queuedAt: createdAt, idempotency: input.idempotency });

  const at = toIso(createdAt);
  const created = { type: 'thread.run_created', threadId, runId, messageId, userMessageId, at } as const;
  outbox.addThreadEvents(tenant, threadId, [created], createdAt);
  const started = { type: 'run.started', agent: agent.key, agentVersion: agent.version } as const;
  outbox.addMessageEvents(tenant, run, [started], createdAt);
  return run;
}
