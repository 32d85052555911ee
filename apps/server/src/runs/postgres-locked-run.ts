import type { LockedRun } from '@plinth/engine';
import type { RunId, TenantId, ThreadId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ResultRow } from '../platform/database/pipeline.js';
import type { Row } from './postgres-columns.js';
import { callColumns, interruptColumns, runColumns } from './postgres-rows.js';

const runById = (runId: RunId): Prisma.Sql => Prisma.sql`r.id = ${runId}`;
const activeRunOf = (threadId: ThreadId): Prisma.Sql =>
  Prisma.sql`r.thread_id = ${threadId} AND r.status IN ('queued', 'running', 'interrupted')`;

/**
 * The statements that lock the run for which `condition` (about `r`) holds, and then read what is open in it. NO KEY: it
 * excludes every other lock of this kind, but not the share lock that a foreign key takes on the row it points to,
 * which would make deadlocks. They are two on purpose: a statement that waits for a lock goes on with the rows of
 * *other* tables as they were before it waited, and would miss the answer it waited for.
 */
function lockWithOpenParts(tenant: TenantId, condition: Prisma.Sql): Record<'run' | 'parts', Prisma.Sql> {
  return {
    run: Prisma.sql`
    SELECT to_json(r) AS run FROM run r WHERE r.tenant_id = ${tenant} AND ${condition} FOR NO KEY UPDATE`,
    parts: Prisma.sql`
    SELECT
      (SELECT coalesce(json_agg(c ORDER BY c.turn_index, c.position), '[]') FROM tool_call c
        WHERE c.tenant_id = r.tenant_id AND c.run_id = r.id AND c.status IN ('pending', 'started')) AS calls,
      (SELECT coalesce(json_agg(i ORDER BY i.opened_at, i.id COLLATE "C"), '[]') FROM interrupt i
        WHERE i.tenant_id = r.tenant_id AND i.run_id = r.id
          AND (i.state = 'open' OR (i.answered_at IS NOT NULL AND i.consumed_at IS NULL))) AS waits
      FROM run r WHERE r.tenant_id = ${tenant} AND ${condition}`,
  };
}

/** Locks a run by id and reads what is open in it. */
export const lockRun = (tenant: TenantId, runId: RunId) => lockWithOpenParts(tenant, runById(runId));

/** Locks the active run of a thread whose lock is held, and reads what is open in it. */
export const lockActiveRun = (tenant: TenantId, threadId: ThreadId) =>
  lockWithOpenParts(tenant, activeRunOf(threadId));

/** What the two statements of a lock gave. Null when there is no such run. */
export function toLockedRun(read: Record<'run' | 'parts', readonly ResultRow[]>): LockedRun | null {
  const [locked] = read.run as { run: Row }[];
  if (locked === undefined) return null;
  const [parts] = read.parts as { calls: Row[]; waits: Row[] }[];
  return {
    run: runColumns.fromRow(locked.run),
    openCalls: parts?.calls.map(callColumns.fromRow) ?? [],
    waits: parts?.waits.map(interruptColumns.fromRow) ?? [],
  };
}
