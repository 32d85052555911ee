import {
  hasEnded,
  type LockedRun,
  type OutboxEntry,
  type Run,
  type Viewer,
  type WhenActive,
} from '@plinth/engine';
import type { EndUserId, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import { writesOf } from './postgres-changes.js';

export interface LockedThread {
  id: ThreadId;
  endUserId: EndUserId;
  headMessageId: MessageId | null;
}

/**
 * Locks a thread of the viewer: whoever makes a run in it or moves its head does this first, and locks its active run
 * after it.
 */
export function lockThread(tenant: TenantId, viewer: Viewer, threadId: ThreadId): Prisma.Sql {
  const ofViewer =
    viewer.endUserId === null ? Prisma.empty : Prisma.sql`AND end_user_id = ${viewer.endUserId}`;
  return Prisma.sql`
    SELECT id, end_user_id AS "endUserId", head_message_id AS "headMessageId" FROM thread
     WHERE tenant_id = ${tenant} AND id = ${threadId} ${ofViewer}
       FOR NO KEY UPDATE`;
}

/** What becomes of the run that is active in a thread. */
export type Cleared = { closed: Run | null; writes: Prisma.Sql[] } | { busy: RunId };

/**
 * Closes the active run of a locked thread, if there is one and `whenActive` says so.
 *
 * @throws Error when what it says leaves the run active
 */
export function clearThread(
  tenant: TenantId,
  active: LockedRun | null,
  whenActive: WhenActive,
  now: number,
): Cleared {
  if (active === null) return { closed: null, writes: [] };
  const { run } = active;
  const decision = whenActive(active);
  if (decision === null) return { busy: run.id };
  const ends = decision.changes.some(
    (change) =>
      change.type === 'run.update' && change.set.status !== undefined && hasEnded(change.set.status),
  );
  if (!ends) throw new Error(`thread ${run.threadId} has an active run`);
  return { closed: run, writes: writesOf(tenant, run, decision, now) };
}

/** Joins what two writes of one transaction found unpublished: the thread's stream may be in both. */
export function joinOutbox(parts: readonly (readonly OutboxEntry[])[]): OutboxEntry[] {
  return [...new Map(parts.flat().map((entry) => [entry.id, entry])).values()];
}

/** The UPDATE that moves the head. */
export const setHead = (
  tenant: TenantId,
  threadId: ThreadId,
  messageId: MessageId | null,
  at: string,
): Prisma.Sql => Prisma.sql`
  UPDATE thread SET head_message_id = ${messageId}, updated_at = ${at}::timestamptz
   WHERE tenant_id = ${tenant} AND id = ${threadId}`;
