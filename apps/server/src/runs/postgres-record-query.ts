import type { RunRecord } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { Row } from './postgres-columns.js';
import { artifactColumns, callColumns, interruptColumns, runColumns, turnColumns } from './postgres-rows.js';

export interface RecordRow {
  run: Row;
  turns: Row[];
  calls: Row[];
  interrupts: Row[];
  artifacts: Row[];
}

/**
 * The select list of a `RunRecord` for the run `r`, from one turn on: all tables in one statement. What belongs
 * to no call (an artifact may) always comes along. The order is that of making: what one commit made has one time,
 * and was made in call order.
 */
export const recordColumns = (fromTurn: number | Prisma.Sql): Prisma.Sql => Prisma.sql`
  to_json(r) AS run,
  (SELECT coalesce(json_agg(t ORDER BY t.index), '[]') FROM turn t
    WHERE t.tenant_id = r.tenant_id AND t.run_id = r.id AND t.index >= ${fromTurn}) AS turns,
  (SELECT coalesce(json_agg(c ORDER BY c.turn_index, c.position), '[]') FROM tool_call c
    WHERE c.tenant_id = r.tenant_id AND c.run_id = r.id AND c.turn_index >= ${fromTurn}) AS calls,
  (SELECT coalesce(json_agg(i ORDER BY i.opened_at, c.turn_index, c.position, i.id COLLATE "C"), '[]') FROM interrupt i
     JOIN tool_call c ON c.tenant_id = i.tenant_id AND c.id = i.call_id
    WHERE i.tenant_id = r.tenant_id AND i.run_id = r.id AND c.turn_index >= ${fromTurn}) AS interrupts,
  (SELECT coalesce(json_agg(a ORDER BY a.created_at, c.turn_index, c.position, array_position(c.artifact_ids, a.id),
                                     a.id COLLATE "C"), '[]') FROM artifact a
     LEFT JOIN tool_call c ON c.tenant_id = a.tenant_id AND c.id = a.call_id
    WHERE a.tenant_id = r.tenant_id AND a.run_id = r.id
      AND (a.call_id IS NULL OR c.turn_index >= ${fromTurn})) AS artifacts`;

/** Records of the runs for which `condition` (about `r`) holds. */
export const selectRecords = (
  tenant: TenantId,
  fromTurn: number,
  condition: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  SELECT ${recordColumns(fromTurn)} FROM run r WHERE r.tenant_id = ${tenant} AND ${condition}`;

export function toRecord(row: RecordRow): RunRecord {
  return {
    run: runColumns.fromRow(row.run),
    turns: row.turns.map(turnColumns.fromRow),
    calls: row.calls.map(callColumns.fromRow),
    interrupts: row.interrupts.map(interruptColumns.fromRow),
    artifacts: row.artifacts.map(artifactColumns.fromRow),
  };
}
