import type { Attachment } from '@plinth/engine';
import type { AttachmentView, MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import { inTree, sharedMessages } from '../runs/postgres-thread-tree.js';

/** A node on the way to the head. What an assistant node says is in its run's record. */
export type PathNode = {
  id: MessageId;
  parentId: MessageId | null;
  siblings: MessageId[];
  createdAt: string;
} & ({ role: 'user'; text: string; attachments?: AttachmentView[] } | { role: 'assistant'; runId: RunId });

interface NodeRow {
  id: MessageId;
  role: 'user' | 'assistant';
  text: string | null;
  attachments: string | null;
  run_id: RunId | null;
  created_at: Date;
  siblings: MessageId[];
}

/**
 * The branch of a thread's tree from `start` up to the root, newest node first, hidden nodes left out.
 *
 * The rows leave the recursion in the order in which it finds them, one parent after the other, and it stops
 * with the last row that is wanted: sorting them would walk to the root. A start outside of the tree of the
 * thread shows nothing. Roots are siblings too: a head that was moved before everything begins anew. They are looked for
 * by their thread (and not, by way of an index, among the roots of all threads).
 */
export async function readPath(
  tx: TenantTransaction,
  { tenant, threadId, start, limit }: { tenant: TenantId; threadId: ThreadId; start: string; limit: number },
): Promise<{ nodes: PathNode[]; older: MessageId | null }> {
  const rows = await tx.$queryRaw<NodeRow[]>`
    WITH RECURSIVE ${sharedMessages(tenant, threadId)}, path AS (
      SELECT m.id, m.parent_id, m.role, m.text, m.attachments, m.run_id, m.visibility, m.created_at
        FROM message m
       WHERE m.tenant_id = ${tenant} AND m.id = ${start} AND ${inTree(threadId, 'm')}
      UNION ALL
      SELECT m.id, m.parent_id, m.role, m.text, m.attachments, m.run_id, m.visibility, m.created_at
        FROM path JOIN message m ON m.tenant_id = ${tenant} AND m.id = path.parent_id
    )
    SELECT id, role, text, attachments, run_id, created_at,
           coalesce((SELECT array_agg(s.id ORDER BY s.created_at, s.id COLLATE "C") FROM message s
                      WHERE s.tenant_id = ${tenant} AND s.parent_id = path.parent_id AND s.role = path.role
                        AND s.visibility = 'chat' AND ${inTree(threadId, 's')}),
                    (SELECT array_agg(s.id ORDER BY s.created_at, s.id COLLATE "C") FROM message s
                      WHERE path.parent_id IS NULL AND s.tenant_id = ${tenant} AND s.visibility = 'chat'
                        AND coalesce(s.parent_id, '') = '' AND s.role = path.role
                        AND (s.thread_id = ${threadId} OR s.id IN (SELECT id FROM shared))), ARRAY[id]) AS siblings
      FROM path WHERE visibility = 'chat' LIMIT ${limit + 1}`;
  return {
    nodes: rows.slice(0, limit).map((row, index) => toNode(row, rows[index + 1]?.id ?? null)),
    older: rows[limit]?.id ?? null,
  };
}

/** The parent is the next node that is shown, whatever hidden ones stand between. */
function toNode(row: NodeRow, parentId: MessageId | null): PathNode {
  const base = { id: row.id, parentId, siblings: row.siblings, createdAt: row.created_at.toISOString() };
  if (row.role === 'user')
    return { ...base, role: 'user', text: row.text ?? '', ...attachmentsOf(row.attachments) };
  if (row.run_id === null) throw new Error(`assistant message ${row.id} has no run`);
  return { ...base, role: 'assistant', runId: row.run_id };
}

/**
 * Where the branch that begins with `from` ends: the newest child of the newest child, and so on; `from` itself when nothing
 * follows. Null when `from` is not in the tree of the thread.
 */
export async function readTip(
  tx: TenantTransaction,
  { tenant, threadId, from }: { tenant: TenantId; threadId: ThreadId; from: string },
): Promise<MessageId | null> {
  const rows = await tx.$queryRaw<{ id: MessageId }[]>`
    WITH RECURSIVE ${sharedMessages(tenant, threadId)}, branch AS (
      SELECT m.id, 0 AS depth FROM message m
       WHERE m.tenant_id = ${tenant} AND m.id = ${from} AND m.visibility = 'chat' AND ${inTree(threadId, 'm')}
      UNION ALL
      SELECT newest.id, branch.depth + 1
        FROM branch CROSS JOIN LATERAL (
          SELECT m.id FROM message m
           WHERE m.tenant_id = ${tenant} AND m.parent_id = branch.id AND ${inTree(threadId, 'm')}
           ORDER BY m.created_at DESC, m.id COLLATE "C" DESC LIMIT 1) newest
    )
    SELECT id FROM branch ORDER BY depth DESC LIMIT 1`;
  return rows[0]?.id ?? null;
}

/** What clients see of what came along: not where its bytes are. */
function attachmentsOf(stored: string | null): { attachments?: AttachmentView[] } {
  if (stored === null) return {};
  const attachments = JSON.parse(stored) as Attachment[];
  return {
    attachments: attachments.map(({ artifactId, kind, mimeType, title, sizeBytes }) => ({
      artifactId,
      kind,
      mimeType,
      title,
      sizeBytes,
    })),
  };
}
