import {
  type Artifact,
  type ForkOutcome,
  type HeadMove,
  hasEnded,
  type MoveHeadOutcome,
  type NewFork,
  type Run,
  type StreamRef,
  toIso,
  type WhenActive,
} from '@plinth/engine';
import type { MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import { clearThread, type Tables } from './memory-clear-thread.js';
import { type MessageRow, maySee, type TenantRows, type ThreadRow } from './memory-rows.js';

/** A message of the thread's tree: written in it, or shared by the fork that it is. */
export function findInTree(rows: TenantRows, thread: ThreadRow, id: MessageId): MessageRow | null {
  const message = rows.messages.get(id);
  if (!message) return null;
  if (message.threadId === thread.id) return message;
  for (
    let shared = thread.forkedFromId;
    shared !== null;
    shared = rows.messages.get(shared)?.parentId ?? null
  )
    if (shared === id) return message;
  return null;
}

/** What was sent along with messages that a fork shares, and what their runs have made. */
export function sharedArtifacts(
  { threads, messages, runs, artifacts }: TenantRows,
  threadId: ThreadId,
): Artifact[] {
  const shared: Artifact[] = [];
  const parentOf = (id: MessageId) => messages.get(id)?.parentId ?? null;
  for (let id = threads.get(threadId)?.forkedFromId ?? null; id !== null; id = parentOf(id)) {
    const message = messages.get(id);
    if (message?.role === 'assistant') shared.push(...(runs.get(message.runId)?.record.artifacts ?? []));
    if (message?.role !== 'user') continue;
    const sent = new Set(message.attachments.map(({ artifactId }) => artifactId));
    shared.push(...artifacts.filter((artifact) => sent.has(artifact.id)));
  }
  return shared;
}

/** `ThreadBranches.moveHead` of the in-memory ledger. */
export function moveHead(
  tables: Tables,
  tenant: TenantId,
  { viewer, threadId, messageId, now }: HeadMove,
  whenActive: WhenActive,
): MoveHeadOutcome {
  const { rows, outbox } = tables;
  const thread = rows.threads.get(threadId);
  if (!thread || !maySee(viewer, thread.endUserId)) return { kind: 'thread_not_found' };
  if (messageId !== null && !findInTree(rows, thread, messageId)) return { kind: 'message_not_found' };
  const cleared = clearThread(tables, threadId, whenActive);
  if ('busy' in cleared) return { kind: 'busy', activeRunId: cleared.busy };
  const isNew = thread.headMessageId !== messageId;
  if (isNew) {
    thread.headMessageId = messageId;
    const event = { type: 'thread.head_moved', threadId, messageId, at: toIso(now) } as const;
    outbox.addThreadEvents(tenant, threadId, [event], now);
  }
  const streams = [
    ...streamsOf(cleared.closed),
    ...(isNew ? [{ kind: 'thread' as const, id: threadId }] : []),
  ];
  return { kind: 'moved', superseded: cleared.closed, outbox: outbox.unpublished(tenant, streams) };
}

const streamsOf = (closed: Run | null): StreamRef[] =>
  closed
    ? [
        { kind: 'message', id: closed.messageId },
        { kind: 'thread', id: closed.threadId },
      ]
    : [];

/** `ThreadBranches.forkThread` of the in-memory ledger. */
export function forkThread(
  rows: TenantRows,
  { viewer, threadId, messageId, newThreadId }: NewFork,
): ForkOutcome {
  const thread = rows.threads.get(threadId);
  if (!thread || !maySee(viewer, thread.endUserId)) return { kind: 'thread_not_found' };
  const message = findInTree(rows, thread, messageId);
  if (!message) return { kind: 'message_not_found' };
  const activeRunId = message.role === 'assistant' ? activeRunOf(rows, message.runId) : null;
  if (activeRunId !== null) return { kind: 'busy', activeRunId };
  rows.threads.set(newThreadId, {
    id: newThreadId,
    endUserId: thread.endUserId,
    headMessageId: messageId,
    forkedFromId: messageId,
    eventEpoch: 1,
    eventTail: 0,
  });
  return { kind: 'forked' };
}

function activeRunOf(rows: TenantRows, runId: RunId): RunId | null {
  const run = rows.runs.get(runId)?.record.run;
  return run && !hasEnded(run.status) ? run.id : null;
}
