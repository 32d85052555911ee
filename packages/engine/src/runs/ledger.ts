import type { EndUserId, InterruptId, MessageId, RunId, TenantId, ThreadEvent } from '@plinth/protocol';
import type { Decision } from './ledger-change.js';
import type { LockedRun, OutboxEntry, StreamRef, Viewer, WhenActive } from './ledger-terms.js';
import type { CreateRunOutcome, NewRun, RepeatedRun } from './new-run.js';
import type { Conversation, Interrupt, Run, RunRecord, RunState, ToolCall } from './run.js';
import type { ThreadBranches } from './thread-branches.js';

export type * from './ledger-terms.js';
export type * from './new-run.js';
export type * from './thread-branches.js';

/**
 * The ledger: the truth about runs (Postgres). One port for every change, so that every change is
 * decided under the run row's lock: `transact` locks the run, asks a pure function, writes what it says
 * together with the events (outbox), and commits. Answer, park, cancel and expiry meet there.
 */

/** A run that was claimed, with what a worker needs of it first. */
export interface Claim {
  run: Run;
  /** The run was `running` under a lease that had ended: its worker died. */
  recovered: boolean;
  /** The rows of all that can still change: the turns from `fromTurn` on, with what belongs to them. */
  tail: RunRecord;
  /** The first turn that has a call without a result; the number of turns when every call has one. */
  fromTurn: number;
  /** The conversation before the run, of one that is claimed for the first time; null later. */
  conversation: Conversation | null;
}

export interface FoundInterrupt {
  interrupt: Interrupt;
  call: ToolCall;
  run: Run;
}

export interface Ledger extends ThreadBranches {
  /**
   * Writes user message (unless an old one is answered again), run and assistant message (and the thread, when new) in
   * one transaction, and moves the thread's head. When another run of the thread is active, `whenActive` decides under its lock: a
   * decision closes it (superseded), null refuses the new run as busy. At most one run of a thread is active.
   */
  createRun(tenant: TenantId, input: NewRun, whenActive: WhenActive): Promise<CreateRunOutcome>;

  /** What `createRun` says of a request whose idempotency key was used before; null when it was not. */
  findRepeated(
    tenant: TenantId,
    endUserId: EndUserId,
    idempotency: { key: string; requestDigest: string },
  ): Promise<RepeatedRun | null>;

  /**
   * Takes the lease of a queued run, or of a running one whose lease has ended: status `running`, fence + 1. A claim
   * after a worker's death adds to `attempts`; any other sets it to 0.
   * Null when there is nothing to claim (parked, ended, or held by another worker).
   */
  claimRun(
    tenant: TenantId,
    runId: RunId,
    claim: { owner: string; now: number; leaseUntil: number },
  ): Promise<Claim | null>;

  /** Extends the lease. `held` is false when the fence is no longer this one: the holder must stop at once. */
  renewLease(
    tenant: TenantId,
    runId: RunId,
    fence: number,
    leaseUntil: number,
  ): Promise<{ held: boolean; cancelRequested: boolean }>;

  /** The run row. Null when there is no such run, or not for this viewer. */
  findRun(tenant: TenantId, viewer: Viewer, runId: RunId): Promise<Run | null>;

  /** The whole run from the rows alone. Null when there is no such run. */
  loadRun(tenant: TenantId, runId: RunId): Promise<RunState | null>;

  /** The run row, and turns from `fromTurn` on with their calls, interrupts and artifacts: completes a snapshot. */
  loadTail(tenant: TenantId, runId: RunId, fromTurn: number): Promise<RunRecord | null>;

  /** Records of the runs of these assistant messages, in no particular order; unknown or foreign ones are left out. */
  loadRecords(tenant: TenantId, viewer: Viewer, messageIds: readonly MessageId[]): Promise<RunRecord[]>;

  /**
   * Locks the run, applies what `decide` returns, commits. `decide` is pure and synchronous: a transaction is
   * never held across I/O. What it throws rolls back and rises. Null when there is no such run.
   *
   * `outbox`: when the decision has events, all events of their streams that are committed and not marked as
   * published, in the order of their commits. They are what `EventWriter.publish` takes.
   */
  transact<Result>(
    tenant: TenantId,
    runId: RunId,
    decide: (locked: LockedRun) => { decision: Decision; result: Result },
  ): Promise<{ result: Result; outbox: OutboxEntry[] } | null>;

  findInterrupt(tenant: TenantId, viewer: Viewer, interruptId: InterruptId): Promise<FoundInterrupt | null>;
}

export interface RaisedEpoch {
  epoch: number;
  /** This call raised it, so this caller may begin it. Of several at once one hears so; when its answer is lost, none. */
  raised: boolean;
  /** The run's fence; 0 for a thread. */
  fence: number;
}

/** The durable events that are committed and not yet known to stand in their log. */
export interface EventOutbox {
  /** Unpublished entries of one stream, in the order of their commits. */
  pending(tenant: TenantId, stream: StreamRef): Promise<OutboxEntry[]>;
  markPublished(tenant: TenantId, ids: readonly bigint[]): Promise<void>;
  /** Writes a thread event that belongs to no run transaction. */
  announce(tenant: TenantId, event: ThreadEvent): Promise<void>;
  /** The stream's epoch and the lower bound of its tail, as last recorded. */
  position(tenant: TenantId, stream: StreamRef): Promise<{ epoch: number; tail: number }>;
  /** Raises the epoch if it still is `from`, and tells the one that then holds. */
  raiseEpoch(tenant: TenantId, stream: StreamRef, from: number): Promise<RaisedEpoch>;
}

/** Work that nobody may be doing: read by the sweeper, over all tenants. */
export interface DueWork {
  /** Runs queued since before `queuedBefore`, and running ones whose lease ended before `now`, with their fence. */
  dueRuns(limits: {
    now: number;
    queuedBefore: number;
    limit: number;
  }): Promise<{ tenant: TenantId; runId: RunId; fence: number }[]>;
  /** Runs that nobody works on, queued or parked, whose deadline has passed. */
  overdueRuns(limits: { now: number; limit: number }): Promise<{ tenant: TenantId; runId: RunId }[]>;
  /** Open interrupts whose time has passed. */
  dueInterrupts(limits: {
    now: number;
    limit: number;
  }): Promise<{ tenant: TenantId; interruptId: InterruptId }[]>;
  /** Streams with an event that was committed before `before` and is not published. */
  dueStreams(limits: { before: number; limit: number }): Promise<{ tenant: TenantId; stream: StreamRef }[]>;
}
