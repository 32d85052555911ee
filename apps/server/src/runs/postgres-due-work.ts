import { type DueWork, type StreamRef, toIso } from '@plinth/engine';
import type { InterruptId, RunId, TenantId } from '@plinth/protocol';
import type { TenantDatabase } from '../platform/database/tenant-database.js';

/** What the sweeper reads, over all tenants: ids alone, through functions that may see no more. */
export class PostgresDueWork implements DueWork {
  constructor(private readonly database: TenantDatabase) {}

  dueRuns({ now, queuedBefore, limit }: { now: number; queuedBefore: number; limit: number }) {
    return this.database.platform().$queryRaw<{ tenant: TenantId; runId: RunId; fence: number }[]>`
      SELECT tenant_id AS tenant, run_id AS "runId", fence
        FROM plinth.due_runs(${toIso(now)}::timestamptz, ${toIso(queuedBefore)}::timestamptz, ${limit}::int)`;
  }

  overdueRuns({ now, limit }: { now: number; limit: number }) {
    return this.database.platform().$queryRaw<{ tenant: TenantId; runId: RunId }[]>`
      SELECT tenant_id AS tenant, run_id AS "runId"
        FROM plinth.overdue_runs(${toIso(now)}::timestamptz, ${limit}::int)`;
  }

  dueInterrupts({ now, limit }: { now: number; limit: number }) {
    return this.database.platform().$queryRaw<{ tenant: TenantId; interruptId: InterruptId }[]>`
      SELECT tenant_id AS tenant, interrupt_id AS "interruptId"
        FROM plinth.due_interrupts(${toIso(now)}::timestamptz, ${limit}::int)`;
  }

  async dueStreams({ before, limit }: { before: number; limit: number }) {
    const rows = await this.database.platform().$queryRaw<{ tenant: TenantId; kind: string; id: string }[]>`
      SELECT tenant_id AS tenant, stream_kind AS kind, stream_id AS id
        FROM plinth.due_streams(${toIso(before)}::timestamptz, ${limit}::int)`;
    return rows.map(({ tenant, kind, id }) => ({ tenant, stream: { kind, id } as StreamRef }));
  }
}
