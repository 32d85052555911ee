import {
  type CreateRunOutcome,
  type NewRun,
  newStreams,
  type RepeatedRun,
  type StreamRef,
  toIso,
  type WhenActive,
} from '@plinth/engine';
import type { EndUserId, TenantId } from '@plinth/protocol';
import { aRun } from './builders.js';
import { findInTree } from './memory-branches.js';
import { clearThread, type Tables } from './memory-clear-thread.js';
import type { TenantRows } from './memory-rows.js';

/** `Ledger.createRun` of the in-memory ledger: everything is decided before the first row is written. */
export function createRun(
  tables: Tables,
  tenant: TenantId,
  input: NewRun,
  whenActive: WhenActive,
): CreateRunOutcome {
  const { rows } = tables;
  const thread = input.threadId === null ? null : rows.threads.get(input.threadId);
  if (thread === undefined || (thread && thread.endUserId !== input.endUserId)) {
    return { kind: 'thread_not_found' };
  }

  const earlier = input.idempotency && findRepeated(rows, input.endUserId, input.idempotency);
  if (earlier) return earlier;

  const isNothingAsked = thread === null || findInTree(rows, thread, input.userMessageId)?.role !== 'user';
  if (input.text === null && isNothingAsked) return { kind: 'message_not_found' };

  const cleared = thread ? clearThread(tables, thread.id, whenActive) : { closed: null };
  if ('busy' in cleared) return { kind: 'busy', activeRunId: cleared.busy };
  const superseded = cleared.closed;
  const run = insertRun(tables, tenant, input);
  const streams: StreamRef[] = [
    ...(superseded ? [{ kind: 'message' as const, id: superseded.messageId }] : []),
    { kind: 'thread', id: run.threadId },
    { kind: 'message', id: run.messageId },
  ];
  return {
    kind: 'created',
    run: structuredClone(run),
    superseded,
    outbox: tables.outbox.unpublished(tenant, streams),
    begins: newStreams(input),
  };
}

/** `Ledger.findRepeated` of the in-memory ledger. */
export function findRepeated(
  rows: TenantRows,
  endUserId: EndUserId,
  { key, requestDigest }: { key: string; requestDigest: string },
): RepeatedRun | null {
  const earlier = [...rows.runs.values()].find(
    ({ idempotency, record }) => idempotency?.key === key && record.run.endUserId === endUserId,
  );
  if (!earlier) return null;
  if (earlier.idempotency?.requestDigest !== requestDigest) return { kind: 'key_reused' };
  return { kind: 'repeated', run: structuredClone(earlier.record.run) };
}

function insertRun({ rows, outbox }: Tables, tenant: TenantId, input: NewRun) {
  const { runId, now: createdAt, deadlineAt, messageId, userMessageId } = input;
  const { endUserId, agentVersionId, agent, text } = input;
  const threadId = input.threadId ?? input.newThreadId;
  const thread = rows.threads.get(threadId);
  const times = { createdAt, deadlineAt };
  const run = aRun({ id: runId, threadId, endUserId, messageId, userMessageId, agentVersionId, ...times });
  const parentId = thread?.headMessageId ?? null;
  if (text !== null) {
    const said = { role: 'user' as const, text, attachments: structuredClone(input.attachments) };
    rows.messages.set(userMessageId, { id: userMessageId, threadId, parentId, ...said });
  }
  rows.messages.set(messageId, {
    id: messageId,
    threadId,
    parentId: userMessageId,
    role: 'assistant',
    runId,
  });
  if (thread) thread.headMessageId = messageId;
  else {
    const position = { eventEpoch: run.eventEpoch, eventTail: run.eventTail };
    const row = { id: threadId, endUserId, headMessageId: messageId, forkedFromId: null };
    rows.threads.set(threadId, { ...row, ...position });
  }
  rows.artifacts.push(...structuredClone(input.artifacts));
  const record = { run, turns: [], calls: [], interrupts: [], artifacts: [] };
  rows.runs.set(runId, { record, queuedAt: createdAt, idempotency: input.idempotency });

  const at = toIso(createdAt);
  const created = { type: 'thread.run_created', threadId, runId, messageId, userMessageId, at } as const;
  outbox.addThreadEvents(tenant, threadId, [created], createdAt);
  const started = { type: 'run.started', agent: agent.key, agentVersion: agent.version } as const;
  outbox.addMessageEvents(tenant, run, [started], createdAt);
  return run;
}
