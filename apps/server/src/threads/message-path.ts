import type { MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import type { TenantTransaction } from '../platform/database/tenant-database.js';

/** A node on the way to the head. What an assistant node says is in its run's record. */
export type PathNode = { id: MessageId; parentId: MessageId | null; createdAt: string } & (
  | { role: 'user'; text: string }
  | { role: 'assistant'; runId: RunId }
);

interface NodeRow {
  id: MessageId;
  role: 'user' | 'assistant';
  text: string | null;
  run_id: RunId | null;
  created_at: Date;
}

/**
 * The branch of a thread's tree from `start` up to the root, newest node first, hidden nodes left out.
 *
 * The rows leave the recursion in the order in which it finds them, one parent after the other, and it stops
 * with the last row that is wanted: sorting them would walk to the root. `thread_id` keeps a start in another
 * thread out.
 */
export async function readPath(
  tx: TenantTransaction,
  { tenant, threadId, start, limit }: { tenant: TenantId; threadId: ThreadId; start: string; limit: number },
): Promise<{ nodes: PathNode[]; older: MessageId | null }> {
  const rows = await tx.$queryRaw<NodeRow[]>`
    WITH RECURSIVE path AS (
      SELECT m.id, m.parent_id, m.role, m.text, m.run_id, m.visibility, m.created_at
        FROM message m
       WHERE m.tenant_id = ${tenant} AND m.thread_id = ${threadId} AND m.id = ${start}
      UNION ALL
      SELECT m.id, m.parent_id, m.role, m.text, m.run_id, m.visibility, m.created_at
        FROM path JOIN message m ON m.tenant_id = ${tenant} AND m.id = path.parent_id
    )
    SELECT id, role, text, run_id, created_at FROM path WHERE visibility = 'chat' LIMIT ${limit + 1}`;
  return {
    nodes: rows.slice(0, limit).map((row, index) => toNode(row, rows[index + 1]?.id ?? null)),
    older: rows[limit]?.id ?? null,
  };
}

/** The parent is the next node that is shown, whatever hidden ones stand between. */
function toNode(row: NodeRow, parentId: MessageId | null): PathNode {
  const base = { id: row.id, parentId, createdAt: row.created_at.toISOString() };
  if (row.role === 'user') return { ...base, role: 'user', text: row.text ?? '' };
  if (row.run_id === null) throw new Error(`assistant message ${row.id} has no run`);
  return { ...base, role: 'assistant', runId: row.run_id };
}
