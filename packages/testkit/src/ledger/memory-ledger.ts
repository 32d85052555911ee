import {
  type Artifact,
  applyChanges,
  type Claim,
  type Clock,
  type CreateRunOutcome,
  type Decision,
  type DueWork,
  type EventOutbox,
  type ForkOutcome,
  type FoundInterrupt,
  type HeadMove,
  type Ledger,
  type LockedRun,
  type MoveHeadOutcome,
  type NewFork,
  type NewRun,
  type OutboxEntry,
  type RaisedEpoch,
  type RememberedApproval,
  type RememberedApprovals,
  type RepeatedRun,
  type Run,
  type RunRecord,
  type RunState,
  type StreamRef,
  type Viewer,
  type WhenActive,
} from '@plinth/engine';
import type {
  EndUserId,
  InterruptId,
  MessageId,
  RunId,
  TenantId,
  ThreadEvent,
  ThreadId,
} from '@plinth/protocol';
import { forkThread, moveHead, sharedArtifacts } from './memory-branches.js';
import type { Tables } from './memory-clear-thread.js';
import { createRun, findRepeated } from './memory-create-run.js';
import {
  type DueInterrupt,
  type DueRun,
  dueInterrupts,
  dueRuns,
  type OverdueRun,
  overdueRuns,
} from './memory-due-work.js';
import { conversationOf } from './memory-history.js';
import { MemoryOutbox } from './memory-outbox.js';
import {
  inOrder,
  lockedRun,
  maySee,
  noRows,
  type RunRow,
  recordFrom,
  type TenantRows,
} from './memory-rows.js';

/**
 * The ledger without a database, made of the engine's own `applyChanges`. It keeps every rule that
 * `describeLedger` states. A method does its work before its first await, which makes it a transaction.
 */
export class MemoryLedger implements Ledger, EventOutbox, DueWork, RememberedApprovals {
  private readonly tenants = new Map<TenantId, TenantRows>();
  private readonly outbox: MemoryOutbox;

  constructor(private readonly clock: Clock) {
    this.outbox = new MemoryOutbox((tenant) => this.rowsOf(tenant), clock);
  }

  async createRun(tenant: TenantId, input: NewRun, whenActive: WhenActive): Promise<CreateRunOutcome> {
    return createRun(this.tables(tenant, input.now), tenant, input, whenActive);
  }

  async moveHead(tenant: TenantId, input: HeadMove, whenActive: WhenActive): Promise<MoveHeadOutcome> {
    return moveHead(this.tables(tenant, input.now), tenant, input, whenActive);
  }

  async forkThread(tenant: TenantId, input: NewFork): Promise<ForkOutcome> {
    return forkThread(this.rowsOf(tenant), input);
  }

  async findRepeated(
    tenant: TenantId,
    endUserId: EndUserId,
    idempotency: { key: string; requestDigest: string },
  ): Promise<RepeatedRun | null> {
    return findRepeated(this.rowsOf(tenant), endUserId, idempotency);
  }

  async claimRun(
    tenant: TenantId,
    runId: RunId,
    claim: { owner: string; now: number; leaseUntil: number },
  ): Promise<Claim | null> {
    const rows = this.rowsOf(tenant);
    const row = rows.runs.get(runId);
    if (!row) return null;
    const { status, leaseUntil, fence } = row.record.run;
    const recovered = status === 'running';
    if (status !== 'queued' && !(recovered && (leaseUntil === null || leaseUntil <= claim.now))) return null;
    const attempts = recovered ? row.record.run.attempts + 1 : 0;
    Object.assign(row.record.run, {
      status: 'running',
      fence: fence + 1,
      leaseUntil: claim.leaseUntil,
      attempts,
    });
    const { turns, calls } = row.record;
    const open = calls.filter((call) => call.status === 'pending' || call.status === 'started');
    const fromTurn = Math.min(turns.length, ...open.map((call) => call.turnIndex));
    const tail = recordFrom(row.record, fromTurn);
    const conversation = fence === 0 ? conversationOf(rows, tail.run) : null;
    return { run: tail.run, recovered, tail, fromTurn, conversation };
  }

  async renewLease(
    tenant: TenantId,
    runId: RunId,
    fence: number,
    leaseUntil: number,
  ): Promise<{ held: boolean; cancelRequested: boolean }> {
    const run = this.rowsOf(tenant).runs.get(runId)?.record.run;
    if (!run || run.fence !== fence || run.status !== 'running')
      return { held: false, cancelRequested: false };
    run.leaseUntil = leaseUntil;
    return { held: true, cancelRequested: run.cancelRequestedAt !== null };
  }

  async findRun(tenant: TenantId, viewer: Viewer, runId: RunId): Promise<Run | null> {
    const run = this.rowsOf(tenant).runs.get(runId)?.record.run;
    return run && maySee(viewer, run.endUserId) ? structuredClone(run) : null;
  }

  async loadRun(tenant: TenantId, runId: RunId): Promise<RunState | null> {
    const rows = this.rowsOf(tenant);
    const row = rows.runs.get(runId);
    return row ? { ...recordFrom(row.record, 0), ...conversationOf(rows, row.record.run) } : null;
  }

  async loadTail(tenant: TenantId, runId: RunId, fromTurn: number): Promise<RunRecord | null> {
    const row = this.rowsOf(tenant).runs.get(runId);
    return row ? recordFrom(row.record, fromTurn) : null;
  }

  async loadRecords(
    tenant: TenantId,
    viewer: Viewer,
    messageIds: readonly MessageId[],
  ): Promise<RunRecord[]> {
    return [...this.rowsOf(tenant).runs.values()]
      .filter(({ record: { run } }) => messageIds.includes(run.messageId) && maySee(viewer, run.endUserId))
      .map(({ record }) => recordFrom(record, 0));
  }

  async transact<Result>(
    tenant: TenantId,
    runId: RunId,
    decide: (locked: LockedRun) => { decision: Decision; result: Result },
  ): Promise<{ result: Result; outbox: OutboxEntry[] } | null> {
    const row = this.rowsOf(tenant).runs.get(runId);
    if (!row) return null;
    const { decision, result } = decide(lockedRun(row));
    this.commit(tenant, row, decision, decision.at ?? this.clock.now());
    const { messageId, threadId } = row.record.run;
    const streams: StreamRef[] = [
      ...(decision.events.length > 0 ? [{ kind: 'message' as const, id: messageId }] : []),
      ...(decision.threadEvents?.length ? [{ kind: 'thread' as const, id: threadId }] : []),
    ];
    return { result, outbox: this.outbox.unpublished(tenant, streams) };
  }

  async findInterrupt(
    tenant: TenantId,
    viewer: Viewer,
    interruptId: InterruptId,
  ): Promise<FoundInterrupt | null> {
    for (const { record } of this.rowsOf(tenant).runs.values()) {
      const interrupt = record.interrupts.find(({ id }) => id === interruptId);
      const call = record.calls.find(({ id }) => id === interrupt?.callId);
      if (interrupt && call)
        return maySee(viewer, record.run.endUserId)
          ? structuredClone({ interrupt, call, run: record.run })
          : null;
    }
    return null;
  }

  async remembered(tenant: TenantId, viewer: Viewer, threadId: ThreadId): Promise<RememberedApproval[]> {
    return this.rowsOf(tenant)
      .approvals.filter((row) => row.threadId === threadId && maySee(viewer, row.endUserId))
      .map(({ interruptId, tool, definitionDigest, createdAt }) => ({
        interruptId,
        tool,
        definitionDigest,
        createdAt,
      }));
  }

  /** The artifacts of a thread, with those that it shares with the one it was forked from. */
  async artifactsInTree(tenant: TenantId, threadId: ThreadId): Promise<Artifact[]> {
    const rows = this.rowsOf(tenant);
    const shared = sharedArtifacts(rows, threadId);
    return [...(await this.artifactsOf(tenant, threadId)), ...structuredClone(shared)];
  }

  /** The artifacts of a thread, in the order in which they were made. */
  async artifactsOf(tenant: TenantId, threadId: ThreadId): Promise<Artifact[]> {
    const { runs, artifacts } = this.rowsOf(tenant);
    const all = [...artifacts, ...[...runs.values()].flatMap(({ record }) => record.artifacts)];
    const ofThread = all.filter((artifact) => artifact.threadId === threadId);
    return structuredClone(inOrder(ofThread, (artifact) => artifact.createdAt));
  }

  pending(tenant: TenantId, stream: StreamRef): Promise<OutboxEntry[]> {
    return this.outbox.pending(tenant, stream);
  }

  markPublished(tenant: TenantId, ids: readonly bigint[]): Promise<void> {
    return this.outbox.markPublished(tenant, ids);
  }

  announce(tenant: TenantId, event: ThreadEvent): Promise<void> {
    return this.outbox.announce(tenant, event);
  }

  position(tenant: TenantId, stream: StreamRef): Promise<{ epoch: number; tail: number }> {
    return this.outbox.position(tenant, stream);
  }

  raiseEpoch(tenant: TenantId, stream: StreamRef, from: number): Promise<RaisedEpoch> {
    return this.outbox.raiseEpoch(tenant, stream, from);
  }

  dueStreams(limits: { before: number; limit: number }): Promise<{ tenant: TenantId; stream: StreamRef }[]> {
    return this.outbox.dueStreams(limits);
  }

  async dueRuns(limits: { now: number; queuedBefore: number; limit: number }): Promise<DueRun[]> {
    return dueRuns(this.tenants, limits);
  }

  async overdueRuns(limits: { now: number; limit: number }): Promise<OverdueRun[]> {
    return overdueRuns(this.tenants, limits);
  }

  async dueInterrupts(limits: { now: number; limit: number }): Promise<DueInterrupt[]> {
    return dueInterrupts(this.tenants, limits);
  }

  private tables(tenant: TenantId, now: number): Tables {
    const commit = (row: RunRow, decision: Decision) => this.commit(tenant, row, decision, now);
    return { rows: this.rowsOf(tenant), outbox: this.outbox, commit };
  }

  private commit(tenant: TenantId, row: RunRow, decision: Decision, now: number): void {
    const before = row.record.run;
    const { threadId, endUserId } = before;
    for (const change of decision.changes) {
      if (change.type === 'approval.remember')
        this.rowsOf(tenant).approvals.push({ ...change.approval, threadId, endUserId });
    }
    row.record = applyChanges(row.record, decision.changes);
    if (row.record.run.status === 'queued' && before.status !== 'queued') row.queuedAt = now;
    this.outbox.addMessageEvents(tenant, before, decision.events, now);
    this.outbox.addThreadEvents(tenant, before.threadId, decision.threadEvents ?? [], now);
  }

  private rowsOf(tenant: TenantId): TenantRows {
    const rows = this.tenants.get(tenant) ?? noRows();
    this.tenants.set(tenant, rows);
    return rows;
  }
}
