import { type Claim, toIso } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { ResultRow } from '../platform/database/pipeline.js';
import { type HistoryRows, historyOfRun, toConversation } from './postgres-history.js';
import { type RecordRow, recordColumns, toRecord } from './postgres-record-query.js';

/** `Ledger.claimRun` as two statements: the lease is taken, and then the rows are read that can still change. */
export function claimStatements(
  tenant: TenantId,
  runId: RunId,
  claim: { owner: string; now: number; leaseUntil: number },
): [Prisma.Sql, Prisma.Sql] {
  return [
    Prisma.sql`
      WITH free AS (
        SELECT tenant_id, id, status = 'running' AS recovered FROM run
         WHERE tenant_id = ${tenant} AND id = ${runId}
           AND (status = 'queued' OR (status = 'running' AND (lease_until IS NULL OR lease_until <= ${toIso(claim.now)}::timestamptz)))
           FOR NO KEY UPDATE
      )
      UPDATE run r
         SET status = 'running', fence = r.fence + 1, lease_owner = ${claim.owner},
             lease_until = ${toIso(claim.leaseUntil)}::timestamptz,
             attempts = CASE WHEN free.recovered THEN r.attempts + 1 ELSE 0 END
        FROM free WHERE r.tenant_id = free.tenant_id AND r.id = free.id
      RETURNING free.recovered`,
    Prisma.sql`
      SELECT ${recordColumns(Prisma.sql`since.turn`)}, since.turn AS "fromTurn",
             CASE WHEN r.fence = 1 THEN ${historyOfRun} END AS history
        FROM run r CROSS JOIN LATERAL (
          SELECT coalesce(
            (SELECT min(c.turn_index) FROM tool_call c
              WHERE c.tenant_id = r.tenant_id AND c.run_id = r.id AND c.status IN ('pending', 'started')),
            (SELECT count(*)::int FROM turn t WHERE t.tenant_id = r.tenant_id AND t.run_id = r.id)
          ) AS turn) since
       WHERE r.tenant_id = ${tenant} AND r.id = ${runId} AND r.lease_owner = ${claim.owner} AND r.status = 'running'`,
  ];
}

/** What the two statements gave. Null when there was nothing to claim. */
export function toClaim([claimed]: readonly ResultRow[], [read]: readonly ResultRow[]): Claim | null {
  if (claimed === undefined || read === undefined) return null;
  const row = read as unknown as RecordRow & { fromTurn: number; history: HistoryRows | null };
  const tail = toRecord(row);
  return {
    run: tail.run,
    recovered: claimed.recovered as boolean,
    tail,
    fromTurn: row.fromTurn,
    conversation: row.history === null ? null : toConversation(row.history),
  };
}
