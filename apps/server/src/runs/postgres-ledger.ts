import {
  type Claim,
  type Clock,
  type CreateRunOutcome,
  type Decision,
  type ForkOutcome,
  type FoundInterrupt,
  type HeadMove,
  type Ledger,
  type LockedRun,
  type MoveHeadOutcome,
  type NewFork,
  type NewRun,
  type OutboxEntry,
  type RepeatedRun,
  type Run,
  type RunRecord,
  type RunState,
  toIso,
  type Viewer,
  type WhenActive,
} from '@plinth/engine';
import type { EndUserId, InterruptId, MessageId, RunId, TenantId } from '@plinth/protocol';
import { Prisma } from '../generated/prisma/client.js';
import { violatesUnique } from '../platform/database/database-errors.js';
import type { TenantDatabase } from '../platform/database/tenant-database.js';
import { forkThread, moveHead } from './postgres-branches.js';
import { writesOf } from './postgres-changes.js';
import { claimStatements, toClaim } from './postgres-claim.js';
import type { Row } from './postgres-columns.js';
import { createRun, findRepeated, IDEMPOTENCY_INDEX } from './postgres-create-run.js';
import { lockRun, toLockedRun } from './postgres-locked-run.js';
import { toOutboxEntries } from './postgres-outbox-rows.js';
import { type RecordRow, selectRecords, toRecord } from './postgres-record-query.js';
import { callColumns, interruptColumns, runColumns } from './postgres-rows.js';
import { loadWholeRun } from './postgres-whole-run.js';

/** Workers and the engine act for the tenant as a whole. */
const WHOLE_TENANT: Viewer = { endUserId: null };

/** The ledger in Postgres. Every method is one short transaction of one or two round trips. */
export class PostgresLedger implements Ledger {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  async createRun(tenant: TenantId, input: NewRun, whenActive: WhenActive): Promise<CreateRunOutcome> {
    const attempt = () => createRun(this.database, tenant, input, whenActive);
    try {
      return await attempt();
    } catch (error) {
      // The same request, twice at once, each for a new thread. The other one has committed: it is found now.
      if (violatesUnique(error, IDEMPOTENCY_INDEX)) return attempt();
      throw error;
    }
  }

  moveHead(tenant: TenantId, input: HeadMove, whenActive: WhenActive): Promise<MoveHeadOutcome> {
    return moveHead(this.database, tenant, input, whenActive);
  }

  forkThread(tenant: TenantId, input: NewFork): Promise<ForkOutcome> {
    return forkThread(this.database, tenant, input);
  }

  findRepeated(
    tenant: TenantId,
    endUserId: EndUserId,
    idempotency: { key: string; requestDigest: string },
  ): Promise<RepeatedRun | null> {
    return findRepeated(this.database, tenant, endUserId, idempotency);
  }

  async claimRun(
    tenant: TenantId,
    runId: RunId,
    claim: { owner: string; now: number; leaseUntil: number },
  ): Promise<Claim | null> {
    const statements = claimStatements(tenant, runId, claim);
    const [claimed = [], read = []] = await this.database.send(tenant, WHOLE_TENANT, statements);
    return toClaim(claimed, read);
  }

  async renewLease(
    tenant: TenantId,
    runId: RunId,
    fence: number,
    leaseUntil: number,
  ): Promise<{ held: boolean; cancelRequested: boolean }> {
    const row = await this.database.sendOne<{ cancelRequested: boolean }>(
      tenant,
      WHOLE_TENANT,
      Prisma.sql`
      UPDATE run SET lease_until = ${toIso(leaseUntil)}::timestamptz
       WHERE tenant_id = ${tenant} AND id = ${runId} AND fence = ${fence} AND status = 'running'
      RETURNING cancel_requested_at IS NOT NULL AS "cancelRequested"`,
    );
    return { held: row !== undefined, cancelRequested: row?.cancelRequested ?? false };
  }

  async findRun(tenant: TenantId, viewer: Viewer, runId: RunId): Promise<Run | null> {
    const row = await this.database.sendOne<{ run: Row }>(
      tenant,
      viewer,
      Prisma.sql`
      SELECT to_json(r) AS run FROM run r WHERE r.tenant_id = ${tenant} AND r.id = ${runId}`,
    );
    return row ? runColumns.fromRow(row.run) : null;
  }

  async loadRun(tenant: TenantId, runId: RunId): Promise<RunState | null> {
    return (await loadWholeRun(this.database, tenant, runId))?.state ?? null;
  }

  async loadTail(tenant: TenantId, runId: RunId, fromTurn: number): Promise<RunRecord | null> {
    const [row] = await this.records(tenant, WHOLE_TENANT, fromTurn, Prisma.sql`r.id = ${runId}`);
    return row ?? null;
  }

  async loadRecords(
    tenant: TenantId,
    viewer: Viewer,
    messageIds: readonly MessageId[],
  ): Promise<RunRecord[]> {
    if (messageIds.length === 0) return [];
    return this.records(tenant, viewer, 0, Prisma.sql`r.message_id = ANY(${[...messageIds]})`);
  }

  async transact<Result>(
    tenant: TenantId,
    runId: RunId,
    decide: (locked: LockedRun) => { decision: Decision; result: Result },
  ): Promise<{ result: Result; outbox: OutboxEntry[] } | null> {
    const { result, written } = await this.database.decide<'run' | 'parts', { of: Result } | null>(
      tenant,
      WHOLE_TENANT,
      lockRun(tenant, runId),
      (read) => {
        const locked = toLockedRun(read);
        if (locked === null) return { writes: [], result: null };
        const { decision, result: of } = decide(locked);
        const writes = writesOf(tenant, locked.run, decision, decision.at ?? this.clock.now());
        return { writes, result: { of } };
      },
    );
    return result === null ? null : { result: result.of, outbox: toOutboxEntries(written.flat()) };
  }

  async findInterrupt(
    tenant: TenantId,
    viewer: Viewer,
    interruptId: InterruptId,
  ): Promise<FoundInterrupt | null> {
    const row = await this.database.sendOne<{ interrupt: Row; call: Row; run: Row }>(
      tenant,
      viewer,
      Prisma.sql`
      SELECT to_json(i) AS interrupt, to_json(c) AS call, to_json(r) AS run
        FROM interrupt i
        JOIN tool_call c ON c.tenant_id = i.tenant_id AND c.id = i.call_id
        JOIN run r ON r.tenant_id = i.tenant_id AND r.id = i.run_id
       WHERE i.tenant_id = ${tenant} AND i.id = ${interruptId}`,
    );
    return row
      ? {
          interrupt: interruptColumns.fromRow(row.interrupt),
          call: callColumns.fromRow(row.call),
          run: runColumns.fromRow(row.run),
        }
      : null;
  }

  private async records(
    tenant: TenantId,
    viewer: Viewer,
    fromTurn: number,
    condition: Prisma.Sql,
  ): Promise<RunRecord[]> {
    const [rows = []] = await this.database.send(tenant, viewer, [
      selectRecords(tenant, fromTurn, condition),
    ]);
    return (rows as unknown as RecordRow[]).map(toRecord);
  }
}
