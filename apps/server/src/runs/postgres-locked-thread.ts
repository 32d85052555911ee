import { hasEnded, type OutboxEntry, type Run, type Viewer, type WhenActive } from '@plinth/engine';
import type { EndUserId, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import { writeDecision } from './postgres-changes.js';
import { lockRun, readOpenParts } from './postgres-locked-run.js';

export interface LockedThread {
  id: ThreadId;
  endUserId: EndUserId;
  headMessageId: MessageId | null;
}

/**
 * Locks a thread of the viewer: whoever makes a run in it or moves its head does this first, and locks its active run
 * after it.
 */
export async function lockThread(
  tx: TenantTransaction,
  tenant: TenantId,
  viewer: Viewer,
  threadId: ThreadId,
): Promise<LockedThread | null> {
  const ofViewer =
    viewer.endUserId === null ? Prisma.empty : Prisma.sql`AND end_user_id = ${viewer.endUserId}`;
  const [row] = await tx.$queryRaw<LockedThread[]>`
    SELECT id, end_user_id AS "endUserId", head_message_id AS "headMessageId" FROM thread
     WHERE tenant_id = ${tenant} AND id = ${threadId} ${ofViewer}
       FOR NO KEY UPDATE`;
  return row ?? null;
}

/** What became of the run that was active in the thread. */
export type Cleared = { closed: Run | null; outbox: OutboxEntry[] } | { busy: RunId };

/**
 * Locks the active run of a locked thread and closes it, if there is one and `whenActive` says so.
 *
 * @throws Error when what it says leaves the run active; nothing has been written then
 */
export async function clearThread(
  tx: TenantTransaction,
  tenant: TenantId,
  threadId: ThreadId,
  whenActive: WhenActive,
  now: number,
): Promise<Cleared> {
  const active = Prisma.sql`r.thread_id = ${threadId} AND r.status IN ('queued', 'running', 'interrupted')`;
  const run = await lockRun(tx, tenant, active);
  if (run === null) return { closed: null, outbox: [] };
  const decision = whenActive(await readOpenParts(tx, tenant, run));
  if (decision === null) return { busy: run.id };
  const ends = decision.changes.some(
    (change) =>
      change.type === 'run.update' && change.set.status !== undefined && hasEnded(change.set.status),
  );
  if (!ends) throw new Error(`thread ${threadId} has an active run`);
  return { closed: run, outbox: await writeDecision(tx, tenant, run, decision, now) };
}

/** Joins what two writes of one transaction found unpublished: the thread's stream may be in both. */
export function joinOutbox(before: readonly OutboxEntry[], after: readonly OutboxEntry[]): OutboxEntry[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...after.filter(({ id }) => !known.has(id))];
}

/** The UPDATE that moves the head. */
export const setHead = (
  tenant: TenantId,
  threadId: ThreadId,
  messageId: MessageId,
  at: string,
): Prisma.Sql => Prisma.sql`
  UPDATE thread SET head_message_id = ${messageId}, updated_at = ${at}::timestamptz
   WHERE tenant_id = ${tenant} AND id = ${threadId}`;
