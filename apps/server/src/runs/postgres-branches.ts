import {
  type ForkOutcome,
  type HeadMove,
  type MoveHeadOutcome,
  type NewFork,
  toIso,
  type WhenActive,
} from '@plinth/engine';
import type { EndUserId, TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ResultRow } from '../platform/database/pipeline.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { lockActiveRun, toLockedRun } from './postgres-locked-run.js';
import { clearThread, joinOutbox, type LockedThread, lockThread, setHead } from './postgres-locked-thread.js';
import { insertEvents, selectUnpublished, threadEvents, toOutboxEntries } from './postgres-outbox-rows.js';
import { type TreeNode, treeNode } from './postgres-thread-tree.js';
import { inOneStatement, insertRows } from './postgres-write-rows.js';

type Refused<Outcome> = Exclude<Outcome, { kind: 'moved' | 'forked' }>;

/** `ThreadBranches.moveHead`. The locks are taken in the order in which `createRun` takes them. */
export async function moveHead(
  database: TenantDatabase,
  tenant: TenantId,
  input: HeadMove,
  whenActive: WhenActive,
): Promise<MoveHeadOutcome> {
  const { viewer, threadId, messageId } = input;
  const opening = {
    thread: lockThread(tenant, viewer, threadId),
    node: messageId === null ? null : treeNode(tenant, threadId, messageId),
    ...lockActiveRun(tenant, threadId),
  };
  const { result, written } = await database.decide(tenant, viewer, opening, (read) =>
    chooseMove(tenant, input, whenActive, read),
  );
  return result.kind === 'moved' ? { ...result, outbox: joinOutbox(written.map(toOutboxEntries)) } : result;
}

function chooseMove(
  tenant: TenantId,
  { threadId, messageId, now }: HeadMove,
  whenActive: WhenActive,
  read: Record<'thread' | 'node' | 'run' | 'parts', ResultRow[]>,
): {
  writes: Prisma.Sql[];
  result: Refused<MoveHeadOutcome> | Omit<Extract<MoveHeadOutcome, { kind: 'moved' }>, 'outbox'>;
} {
  const [thread] = read.thread as unknown as LockedThread[];
  if (thread === undefined) return { writes: [], result: { kind: 'thread_not_found' } };
  if (messageId !== null && read.node.length === 0)
    return { writes: [], result: { kind: 'message_not_found' } };
  const cleared = clearThread(tenant, toLockedRun(read), whenActive, now);
  if ('busy' in cleared) return { writes: [], result: { kind: 'busy', activeRunId: cleared.busy } };
  const result = { kind: 'moved' as const, superseded: cleared.closed };
  if (thread.headMessageId === messageId) return { writes: cleared.writes, result };

  const at = toIso(now);
  const events = threadEvents(threadId, [{ type: 'thread.head_moved', threadId, messageId, at }]);
  const writes = [setHead(tenant, threadId, messageId, at), insertEvents(tenant, events, now)];
  const move = inOneStatement(writes, selectUnpublished(tenant, events, writes.length - 1));
  return { writes: [...cleared.writes, move], result };
}

/**
 * `ThreadBranches.forkThread`. It needs no lock: it changes nothing that is there, and what it rests on never changes
 * again (a message stays in its tree, and a run that has ended has ended).
 */
export async function forkThread(
  database: TenantDatabase,
  tenant: TenantId,
  { viewer, threadId, messageId, newThreadId, title, now }: NewFork,
): Promise<ForkOutcome> {
  const opening = {
    thread: threadOf(tenant, viewer.endUserId, threadId),
    node: treeNode(tenant, threadId, messageId),
  };
  const { result } = await database.decide<'thread' | 'node', ForkOutcome>(
    tenant,
    viewer,
    opening,
    (read) => {
      const [thread] = read.thread as { endUserId: string; title: string | null }[];
      if (thread === undefined) return { writes: [], result: { kind: 'thread_not_found' } };
      const [message] = read.node as unknown as TreeNode[];
      if (message === undefined) return { writes: [], result: { kind: 'message_not_found' } };
      if (message.activeRunId !== null)
        return { writes: [], result: { kind: 'busy', activeRunId: message.activeRunId } };
      const at = toIso(now);
      const row = {
        tenant_id: tenant,
        id: newThreadId,
        end_user_id: thread.endUserId,
        title: title ?? thread.title,
        head_message_id: messageId,
        forked_from_id: messageId,
        event_epoch: 1,
        event_tail: 0,
        created_at: at,
        updated_at: at,
      };
      return { writes: [inOneStatement([insertRows('thread', [row])])], result: { kind: 'forked' } };
    },
  );
  return result;
}

function threadOf(tenant: TenantId, endUserId: EndUserId | null, threadId: string): Prisma.Sql {
  const ofViewer = endUserId === null ? Prisma.empty : Prisma.sql`AND end_user_id = ${endUserId}`;
  return Prisma.sql`
    SELECT end_user_id AS "endUserId", title FROM thread
     WHERE tenant_id = ${tenant} AND id = ${threadId} ${ofViewer}`;
}
