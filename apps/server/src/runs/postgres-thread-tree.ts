import type { MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';

/**
 * The tree of a thread is the messages that were written in it and, when it is a fork, those that it shares: the
 * message that it was made from and all above that one, in whatever thread they were written.
 *
 * This is the part of a `WITH RECURSIVE` that reads the shared ones, newest first, as `shared`. A statement that asks
 * for none of them reads none. (LIMIT 1 makes each step a look-up by key, whatever the planner believes.)
 */
export const sharedMessages = (tenant: TenantId, threadId: ThreadId): Prisma.Sql => Prisma.sql`
  shared AS (
    SELECT origin.id, origin.parent_id, origin.run_id
      FROM thread t CROSS JOIN LATERAL (
        SELECT m.id, m.parent_id, m.run_id FROM message m
         WHERE m.tenant_id = t.tenant_id AND m.id = t.forked_from_id LIMIT 1) origin
     WHERE t.tenant_id = ${tenant} AND t.id = ${threadId}
    UNION ALL
    SELECT above.id, above.parent_id, above.run_id
      FROM shared CROSS JOIN LATERAL (
        SELECT m.id, m.parent_id, m.run_id FROM message m
         WHERE m.tenant_id = ${tenant} AND m.id = shared.parent_id LIMIT 1) above
  )`;

/** Whether a message `m` belongs to the tree. What was written in the thread itself is found without the walk. */
export const inTree = (threadId: ThreadId, m: string): Prisma.Sql => Prisma.sql`
  (${Prisma.raw(m)}.thread_id = ${threadId} OR EXISTS (SELECT 1 FROM shared WHERE shared.id = ${Prisma.raw(m)}.id))`;

/**
 * Whether an artifact `a` belongs to the thread's tree: made in it, made by a run whose answer it shares, or sent along
 * with a message that it shares.
 */
export const artifactInTree = (threadId: ThreadId): Prisma.Sql => Prisma.sql`
  (a.thread_id = ${threadId}
   OR a.run_id = ANY(ARRAY(SELECT run_id FROM shared WHERE run_id IS NOT NULL))
   OR a.id = ANY(ARRAY(
        SELECT sent ->> 'artifactId'
          FROM shared CROSS JOIN LATERAL (
            SELECT m.attachments FROM message m
             WHERE m.tenant_id = a.tenant_id AND m.id = shared.id AND m.attachments IS NOT NULL LIMIT 1) m
               CROSS JOIN LATERAL json_array_elements(m.attachments::json) sent)))`;

export interface TreeNode {
  role: 'user' | 'assistant';
  /** The run whose answer this is, while it is active. */
  activeRunId: RunId | null;
}

/** The SELECT of a message of the thread's tree, as a `TreeNode`; no row when it is none, or not for the viewer. */
export const treeNode = (
  tenant: TenantId,
  threadId: ThreadId,
  messageId: MessageId,
): Prisma.Sql => Prisma.sql`
    WITH RECURSIVE ${sharedMessages(tenant, threadId)}
    SELECT m.role,
           (SELECT r.id FROM run r WHERE r.tenant_id = m.tenant_id AND r.id = m.run_id
               AND r.status IN ('queued', 'running', 'interrupted')) AS "activeRunId"
      FROM message m
     WHERE m.tenant_id = ${tenant} AND m.id = ${messageId} AND ${inTree(threadId, 'm')}`;
