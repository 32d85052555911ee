import type { RunState } from '@plinth/engine';
import type { RunId, TenantId, Visibility } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../tenants/whole-tenant.js';
import { type HistoryRows, historyOfRun, toConversation, visibilityOfHistory } from './postgres-history.js';
import { type RecordRow, recordColumns, toRecord } from './postgres-record-query.js';

export interface WholeRun {
  state: RunState;
  /** Of each message of its history. */
  visibility: Visibility[];
}

/** A run with all that was said before it, from the rows alone. Null when there is no such run. */
export async function loadWholeRun(
  database: TenantDatabase,
  tenant: TenantId,
  runId: RunId,
): Promise<WholeRun | null> {
  const row = await database.sendOne<RecordRow & { history: HistoryRows }>(
    tenant,
    WHOLE_TENANT,
    Prisma.sql`
      SELECT ${recordColumns(0)}, ${historyOfRun} AS history FROM run r WHERE r.tenant_id = ${tenant} AND r.id = ${runId}`,
  );
  if (!row) return null;
  const state = { ...toRecord(row), ...toConversation(row.history) };
  return { state, visibility: visibilityOfHistory(row.history) };
}
