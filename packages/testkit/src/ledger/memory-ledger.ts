import {
  applyChanges,
  type Claim,
  type Clock,
  type CreateRunOutcome,
  type Decision,
  type DueWork,
  type EventOutbox,
  type FoundInterrupt,
  hasEnded,
  type Ledger,
  type LockedRun,
  type NewRun,
  type OutboxEntry,
  type RunRecord,
  type RunState,
  type StreamRef,
  toIso,
  type Viewer,
} from '@plinth/engine';
import type { InterruptId, MessageId, RunId, TenantId, ThreadEvent } from '@plinth/protocol';
import { aRun } from './builders.js';
import { historyOf } from './memory-history.js';
import { MemoryOutbox } from './memory-outbox.js';
import { inOrder, maySee, noRows, type RunRow, recordFrom, type TenantRows } from './memory-rows.js';

/**
 * The ledger without a database, made of the engine's own `applyChanges`. It keeps every rule that
 * `describeLedger` states. A method does its work before its first await, which makes it a transaction.
 */
export class MemoryLedger implements Ledger, EventOutbox, DueWork {
  private readonly tenants = new Map<TenantId, TenantRows>();
  private readonly outbox: MemoryOutbox;

  constructor(private readonly clock: Clock) {
    this.outbox = new MemoryOutbox((tenant) => this.rowsOf(tenant), clock);
  }

  async createRun(
    tenant: TenantId,
    input: NewRun,
    whenActive: (active: LockedRun) => Decision | null,
  ): Promise<CreateRunOutcome> {
    const rows = this.rowsOf(tenant);
    const thread = input.threadId === null ? null : rows.threads.get(input.threadId);
    if (thread === undefined || (thread && thread.endUserId !== input.endUserId))
      return { kind: 'thread_not_found' };

    const earlier = input.idempotency && findByKey(rows, input, input.idempotency.key);
    if (earlier) {
      if (earlier.idempotency?.requestDigest !== input.idempotency?.requestDigest)
        return { kind: 'key_reused' };
      return { kind: 'repeated', run: structuredClone(earlier.record.run) };
    }

    const active =
      thread &&
      [...rows.runs.values()].find(
        ({ record }) => record.run.threadId === thread.id && !hasEnded(record.run.status),
      );
    if (active) {
      const decision = whenActive(lockedRun(active));
      if (decision === null) return { kind: 'busy', activeRunId: active.record.run.id };
      const after = applyChanges(active.record, decision.changes);
      if (!hasEnded(after.run.status)) throw new Error(`thread ${after.run.threadId} has an active run`);
      this.commit(tenant, active, decision, input.now);
    }

    const { runId: id, now: createdAt, messageId, userMessageId, endUserId, agentVersionId } = input;
    const threadId = input.threadId ?? input.newThreadId;
    const run = aRun({ id, threadId, endUserId, messageId, userMessageId, agentVersionId, createdAt });
    rows.messages.set(userMessageId, {
      id: userMessageId,
      parentId: thread?.headMessageId ?? null,
      role: 'user',
      text: input.text,
    });
    rows.messages.set(messageId, { id: messageId, parentId: userMessageId, role: 'assistant', runId: id });
    if (thread) thread.headMessageId = messageId;
    else
      rows.threads.set(threadId, {
        id: threadId,
        endUserId,
        headMessageId: messageId,
        eventEpoch: 1,
        eventTail: 0,
      });
    const record = { run, turns: [], calls: [], interrupts: [], artifacts: [] };
    rows.runs.set(id, { record, queuedAt: createdAt, idempotency: input.idempotency });
    const created = {
      type: 'thread.run_created',
      threadId,
      runId: id,
      messageId,
      userMessageId,
      at: toIso(createdAt),
    } as const;
    this.outbox.addThreadEvents(tenant, threadId, [created], createdAt);
    const started = {
      type: 'run.started',
      agent: input.agent.key,
      agentVersion: input.agent.version,
    } as const;
    this.outbox.addMessageEvents(tenant, run, [started], createdAt);
    return {
      kind: 'created',
      run: structuredClone(run),
      supersededMessageId: active?.record.run.messageId ?? null,
    };
  }

  async claimRun(
    tenant: TenantId,
    runId: RunId,
    claim: { owner: string; now: number; leaseUntil: number },
  ): Promise<Claim | null> {
    const row = this.rowsOf(tenant).runs.get(runId);
    if (!row) return null;
    const { status, leaseUntil, fence } = row.record.run;
    const recovered = status === 'running';
    if (status !== 'queued' && !(recovered && (leaseUntil === null || leaseUntil <= claim.now))) return null;
    Object.assign(row.record.run, { status: 'running', fence: fence + 1, leaseUntil: claim.leaseUntil });
    return { run: structuredClone(row.record.run), recovered };
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

  async loadRun(tenant: TenantId, runId: RunId): Promise<RunState | null> {
    const rows = this.rowsOf(tenant);
    const row = rows.runs.get(runId);
    return row ? { ...recordFrom(row.record, 0), history: historyOf(rows, row.record.run) } : null;
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
  ): Promise<{ result: Result } | null> {
    const row = this.rowsOf(tenant).runs.get(runId);
    if (!row) return null;
    const { decision, result } = decide(lockedRun(row));
    this.commit(tenant, row, decision, this.clock.now());
    return { result };
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

  raiseEpoch(tenant: TenantId, stream: StreamRef, from: number): Promise<number> {
    return this.outbox.raiseEpoch(tenant, stream, from);
  }

  dueStreams(limits: { before: number; limit: number }): Promise<{ tenant: TenantId; stream: StreamRef }[]> {
    return this.outbox.dueStreams(limits);
  }

  async dueRuns({
    now,
    queuedBefore,
    limit,
  }: {
    now: number;
    queuedBefore: number;
    limit: number;
  }): Promise<{ tenant: TenantId; runId: RunId }[]> {
    return this.allRuns(({ record: { run }, queuedAt }) => {
      if (run.status === 'queued') return queuedAt < queuedBefore;
      return run.status === 'running' && run.leaseUntil !== null && run.leaseUntil < now;
    })
      .slice(0, limit)
      .map(({ tenant, record }) => ({ tenant, runId: record.run.id }));
  }

  async dueInterrupts({
    now,
    limit,
  }: {
    now: number;
    limit: number;
  }): Promise<{ tenant: TenantId; interruptId: InterruptId }[]> {
    return this.allRuns(() => true)
      .flatMap(({ tenant, record }) => record.interrupts.map((interrupt) => ({ tenant, interrupt })))
      .filter(
        ({ interrupt }) =>
          interrupt.state === 'open' && interrupt.expiresAt !== null && interrupt.expiresAt <= now,
      )
      .slice(0, limit)
      .map(({ tenant, interrupt }) => ({ tenant, interruptId: interrupt.id }));
  }

  private commit(tenant: TenantId, row: RunRow, decision: Decision, now: number): void {
    const before = row.record.run;
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

  private allRuns(wanted: (row: RunRow) => boolean): (RunRow & { tenant: TenantId })[] {
    return [...this.tenants].flatMap(([tenant, { runs }]) =>
      [...runs.values()].filter(wanted).map((row) => ({ ...row, tenant })),
    );
  }
}

function findByKey(rows: TenantRows, input: NewRun, key: string): RunRow | undefined {
  return [...rows.runs.values()].find(
    (row) => row.idempotency?.key === key && row.record.run.endUserId === input.endUserId,
  );
}

function lockedRun({ record }: RunRow): LockedRun {
  const { run, calls, interrupts } = recordFrom(record, 0);
  return {
    run,
    openCalls: calls.filter((call) => call.status === 'pending' || call.status === 'started'),
    waits: inOrder(
      interrupts.filter(
        ({ state, answeredAt, consumedAt }) =>
          state === 'open' || (answeredAt !== null && consumedAt === null),
      ),
      (interrupt) => interrupt.openedAt,
    ),
  };
}
