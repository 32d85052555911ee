import type { LockedRun, Run } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantTransaction } from '../platform/database/tenant-database.js';
import type { Row } from './postgres-columns.js';
import { callColumns, interruptColumns, runColumns } from './postgres-rows.js';

/**
 * Locks the run for which `condition` (about `r`) holds. NO KEY: it excludes every other lock of this kind,
 * but not the share lock that a foreign key takes on the row it points to, which would make deadlocks.
 */
export async function lockRun(
  tx: TenantTransaction,
  tenant: TenantId,
  condition: Prisma.Sql,
): Promise<Run | null> {
  const [row] = await tx.$queryRaw<{ run: Row }[]>`
    SELECT to_json(r) AS run FROM run r WHERE r.tenant_id = ${tenant} AND ${condition} FOR NO KEY UPDATE`;
  return row ? runColumns.fromRow(row.run) : null;
}

/**
 * What is open in a locked run. A statement of its own, on purpose: a statement that waits for a lock goes on
 * with the rows of *other* tables as they were before it waited, and would miss the answer it waited for.
 */
export async function readOpenParts(tx: TenantTransaction, tenant: TenantId, run: Run): Promise<LockedRun> {
  const [row] = await tx.$queryRaw<{ calls: Row[]; waits: Row[] }[]>`
    SELECT
      (SELECT coalesce(json_agg(c ORDER BY c.turn_index, c.position), '[]') FROM tool_call c
        WHERE c.tenant_id = ${tenant} AND c.run_id = ${run.id} AND c.status IN ('pending', 'started')) AS calls,
      (SELECT coalesce(json_agg(i ORDER BY i.opened_at, i.id COLLATE "C"), '[]') FROM interrupt i
        WHERE i.tenant_id = ${tenant} AND i.run_id = ${run.id}
          AND (i.state = 'open' OR (i.answered_at IS NOT NULL AND i.consumed_at IS NULL))) AS waits`;
  return {
    run,
    openCalls: row?.calls.map(callColumns.fromRow) ?? [],
    waits: row?.waits.map(interruptColumns.fromRow) ?? [],
  };
}

/** Locks a run by id and reads what is open in it. */
export async function lockRunWithOpenParts(
  tx: TenantTransaction,
  tenant: TenantId,
  runId: RunId,
): Promise<LockedRun | null> {
  const run = await lockRun(tx, tenant, Prisma.sql`r.id = ${runId}`);
  return run ? readOpenParts(tx, tenant, run) : null;
}
