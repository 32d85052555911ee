import {
  type ForkOutcome,
  type HeadMove,
  type MoveHeadOutcome,
  type NewFork,
  toIso,
  type WhenActive,
} from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import { clearThread, joinOutbox, lockThread, setHead } from './postgres-locked-thread.js';
import {
  insertEvents,
  type OutboxRow,
  selectUnpublished,
  threadEvents,
  toOutboxEntries,
} from './postgres-outbox-rows.js';
import { findInTree } from './postgres-thread-tree.js';
import { inOneStatement, insertRows } from './postgres-write-rows.js';

/** `ThreadBranches.moveHead` inside a transaction of its viewer. Everything is known before the first write. */
export async function moveHead(
  tx: TenantTransaction,
  tenant: TenantId,
  { viewer, threadId, messageId, now }: HeadMove,
  whenActive: WhenActive,
): Promise<MoveHeadOutcome> {
  const thread = await lockThread(tx, tenant, viewer, threadId);
  if (thread === null) return { kind: 'thread_not_found' };
  if ((await findInTree(tx, tenant, threadId, messageId)) === null) return { kind: 'message_not_found' };

  const cleared = await clearThread(tx, tenant, threadId, whenActive, now);
  if ('busy' in cleared) return { kind: 'busy', activeRunId: cleared.busy };
  const moved = { kind: 'moved' as const, superseded: cleared.closed };
  if (thread.headMessageId === messageId) return { ...moved, outbox: cleared.outbox };

  const at = toIso(now);
  const events = threadEvents(threadId, [{ type: 'thread.head_moved', threadId, messageId, at }]);
  const writes = [setHead(tenant, threadId, messageId, at), insertEvents(tenant, events, now)];
  const statement = inOneStatement(writes, selectUnpublished(tenant, events, writes.length - 1));
  const rows = await tx.$queryRaw<OutboxRow[]>(statement);
  return { ...moved, outbox: joinOutbox(cleared.outbox, toOutboxEntries(rows)) };
}

/**
 * `ThreadBranches.forkThread` inside a transaction of its viewer. It needs no lock: it changes nothing that is there,
 * and what it rests on never changes again (a message stays in its tree, and a run that has ended has ended).
 */
export async function forkThread(
  tx: TenantTransaction,
  tenant: TenantId,
  { viewer, threadId, messageId, newThreadId, title, now }: NewFork,
): Promise<ForkOutcome> {
  const thread = await tx.thread.findFirst({
    where: {
      tenantId: tenant,
      id: threadId,
      ...(viewer.endUserId === null ? {} : { endUserId: viewer.endUserId }),
    },
    select: { endUserId: true, title: true },
  });
  if (thread === null) return { kind: 'thread_not_found' };
  const message = await findInTree(tx, tenant, threadId, messageId);
  if (message === null) return { kind: 'message_not_found' };
  if (message.activeRunId !== null) return { kind: 'busy', activeRunId: message.activeRunId };

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
  await tx.$queryRaw(inOneStatement([insertRows('thread', [row])]));
  return { kind: 'forked' };
}
