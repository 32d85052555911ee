import { assertTransition, type Decision, type LedgerChange, type Run } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import type { Row } from './postgres-columns.js';
import { insertEvents, messageEvents, selectUnpublished, threadEvents } from './postgres-outbox-rows.js';
import {
  approvalColumns,
  artifactColumns,
  callColumns,
  interruptColumns,
  runColumns,
  turnColumns,
} from './postgres-rows.js';
import { inOneStatement, insertRows, type RowPatch, updateRows } from './postgres-write-rows.js';

/** New and changed rows of one table, in the order of their first mention. */
class TableChanges {
  private readonly created = new Map<string, Row>();
  private readonly changed = new Map<string, Row>();

  create(id: string, row: Row): void {
    this.created.set(id, row);
  }

  /** A row that the same list creates is created as changed; any other is updated. */
  update(id: string, patch: Row): void {
    const target = this.created.has(id) ? this.created : this.changed;
    target.set(id, { ...target.get(id), ...patch });
  }

  rows(): Row[] {
    return [...this.created.values()];
  }

  patches(): RowPatch[] {
    return [...this.changed].map(([id, patch]) => ({ id, patch }));
  }
}

interface Folded {
  turns: TableChanges;
  calls: TableChanges;
  interrupts: TableChanges;
  artifacts: TableChanges;
  approvals: TableChanges;
  runs: TableChanges;
}

/** The list, row by row: what several changes do to one row becomes one write of it. */
function foldChanges(tenant: TenantId, run: Run, changes: readonly LedgerChange[], now: number): Folded {
  const folded: Folded = {
    turns: new TableChanges(),
    calls: new TableChanges(),
    interrupts: new TableChanges(),
    artifacts: new TableChanges(),
    approvals: new TableChanges(),
    runs: new TableChanges(),
  };
  const owner = { tenant_id: tenant, run_id: run.id };
  let status = run.status;
  for (const change of changes) {
    switch (change.type) {
      case 'turn.append':
        folded.turns.create(String(change.turn.index), { ...owner, ...turnColumns.toRow(change.turn) });
        break;
      case 'call.create':
        folded.calls.create(change.call.id, { ...owner, ...callColumns.toRow(change.call) });
        break;
      case 'call.update':
        folded.calls.update(change.callId, callColumns.toRow(change.set));
        break;
      case 'interrupt.open': {
        const row = interruptColumns.toRow(change.interrupt);
        folded.interrupts.create(change.interrupt.id, { ...owner, end_user_id: run.endUserId, ...row });
        break;
      }
      case 'interrupt.update':
        folded.interrupts.update(change.interruptId, interruptColumns.toRow(change.set));
        break;
      case 'artifact.create':
        folded.artifacts.create(change.artifact.id, {
          tenant_id: tenant,
          ...artifactColumns.toRow(change.artifact),
        });
        break;
      case 'approval.remember': {
        const { approval } = change;
        const whose = { tenant_id: tenant, thread_id: run.threadId, end_user_id: run.endUserId };
        folded.approvals.create(approval.interruptId, { ...whose, ...approvalColumns.toRow(approval) });
        break;
      }
      case 'run.update': {
        const next = change.set.status ?? status;
        if (next !== status) assertTransition(status, next);
        folded.runs.update(run.id, {
          ...runColumns.toRow(change.set),
          ...unseenColumns(status, change.set, now),
        });
        status = next;
        break;
      }
    }
  }
  return folded;
}

/** Columns that the engine does not know: since when the run is queued, and who holds its lease. */
function unseenColumns(before: Run['status'], set: Partial<Run>, now: number): Row {
  return {
    ...(set.status === 'queued' && before !== 'queued' && { queued_at: new Date(now).toISOString() }),
    ...(set.leaseUntil === null && { lease_owner: null }),
  };
}

/**
 * What writes a decision about a locked run, rows and events: one statement, or none. Its rows are what is then
 * unpublished of the streams that the events go to; none when there are no events.
 *
 * @throws IllegalTransition when the run's status cannot change that way
 */
export function writesOf(tenant: TenantId, run: Run, decision: Decision, now: number): Prisma.Sql[] {
  const writes = rowWrites(tenant, run, decision.changes, now);
  const events = [
    ...messageEvents(run, decision.events, now),
    ...threadEvents(run.threadId, decision.threadEvents ?? []),
  ];
  if (events.length === 0) return writes.length === 0 ? [] : [inOneStatement(writes)];
  return [
    inOneStatement(
      [...writes, insertEvents(tenant, events, now)],
      selectUnpublished(tenant, events, writes.length),
    ),
  ];
}

function rowWrites(tenant: TenantId, run: Run, changes: readonly LedgerChange[], now: number): Prisma.Sql[] {
  const { turns, calls, interrupts, artifacts, approvals, runs } = foldChanges(tenant, run, changes, now);
  const ofRun = Prisma.sql`stored.tenant_id = ${tenant} AND stored.run_id = ${run.id}`;
  return [
    ...insertion('turn', turns),
    ...insertion('tool_call', calls),
    ...insertion('interrupt', interrupts),
    ...insertion('artifact', artifacts),
    ...insertion('remembered_approval', approvals),
    ...update('tool_call', callColumns.names, calls, ofRun),
    ...update('interrupt', interruptColumns.names, interrupts, ofRun),
    ...update(
      'run',
      [...runColumns.names, 'queued_at', 'lease_owner'],
      runs,
      Prisma.sql`stored.tenant_id = ${tenant}`,
    ),
  ];
}

function insertion(table: Parameters<typeof insertRows>[0], changes: TableChanges): Prisma.Sql[] {
  const rows = changes.rows();
  return rows.length > 0 ? [insertRows(table, rows)] : [];
}

function update(
  table: Parameters<typeof updateRows>[0],
  columns: readonly string[],
  changes: TableChanges,
  scope: Prisma.Sql,
): Prisma.Sql[] {
  const patches = changes.patches();
  return patches.length > 0 ? [updateRows(table, columns, patches, scope)] : [];
}
