import type {
  Artifact,
  Decision,
  DueWork,
  EventOutbox,
  Ledger,
  LedgerChange,
  LockedRun,
  NewRun,
  RememberedApprovals,
  Run,
  StreamRef,
} from '@plinth/engine';
import type { AgentVersionId, EndUserId, TenantId, ThreadId } from '@plinth/protocol';
import type { ManualClock } from '../redis/manual-clock.js';
import { aCall, aNewRun, anInterrupt, aTurn } from './builders.js';

/** A ledger with what a test needs around it. */
export interface LedgerUnderTest {
  ledger: Ledger;
  outbox: EventOutbox;
  dueWork: DueWork;
  approvals: RememberedApprovals;
  /** The artifact rows of a thread, those of no run included. */
  artifacts(tenant: TenantId, threadId: ThreadId): Promise<Artifact[]>;
  /** The clock that the ledger was given. */
  clock: ManualClock;
  /** Makes a tenant that nobody else uses, with one published agent version. */
  addTenant(): Promise<{ tenant: TenantId; agentVersionId: AgentVersionId }>;
  close(): Promise<void>;
}

export const ALICE = 'alice' as EndUserId;
export const BOB = 'bob' as EndUserId;
/** An API key or a worker: sees every end user of the tenant. */
export const EVERYBODY = { endUserId: null };

/** For `createRun` in threads where nothing should be in the way. */
export const nothingActive = (): never => {
  throw new Error('no run was expected to be active');
};

export const messageStream = (run: Run): StreamRef => ({ kind: 'message', id: run.messageId });
export const threadStream = (run: Run): StreamRef => ({ kind: 'thread', id: run.threadId });

/** What ends a run because a newer message came. */
export const supersede = ({ run }: LockedRun): Decision => ({
  changes: [
    { type: 'run.update', set: { status: 'cancelled', reason: 'superseded', finishedAt: run.createdAt } },
  ],
  events: [
    { type: 'run.finished', status: 'cancelled', reason: 'superseded', usage: run.usage, error: null },
  ],
});

/** One test's own tenant, and short names for what most tests do. */
export class Scene {
  private constructor(
    readonly ledger: Ledger,
    readonly outbox: EventOutbox,
    readonly dueWork: DueWork,
    readonly approvals: RememberedApprovals,
    readonly artifacts: (threadId: ThreadId) => Promise<Artifact[]>,
    readonly clock: ManualClock,
    readonly tenant: TenantId,
    readonly agentVersionId: AgentVersionId,
    readonly otherTenant: () => Promise<TenantId>,
  ) {}

  static async set(underTest: LedgerUnderTest): Promise<Scene> {
    const { ledger, outbox, dueWork, approvals, clock } = underTest;
    const { tenant, agentVersionId } = await underTest.addTenant();
    const other = () => underTest.addTenant().then((added) => added.tenant);
    const artifacts = (threadId: ThreadId) => underTest.artifacts(tenant, threadId);
    return new Scene(ledger, outbox, dueWork, approvals, artifacts, clock, tenant, agentVersionId, other);
  }

  newRun(fields: Partial<NewRun> = {}): NewRun {
    return aNewRun({
      endUserId: ALICE,
      agentVersionId: this.agentVersionId,
      now: this.clock.now(),
      ...fields,
    });
  }

  /** A queued run of Alice's, in a thread of its own unless one is named. */
  async queuedRun(fields: Partial<NewRun> = {}): Promise<Run> {
    const outcome = await this.ledger.createRun(this.tenant, this.newRun(fields), nothingActive);
    if (outcome.kind !== 'created') throw new Error(`the run was not created: ${outcome.kind}`);
    return outcome.run;
  }

  /** The same, claimed by a worker for a minute. */
  async runningRun(fields: Partial<NewRun> = {}): Promise<Run> {
    const { id } = await this.queuedRun(fields);
    const claim = await this.claim(id);
    if (!claim) throw new Error('the run could not be claimed');
    return claim.run;
  }

  claim(runId: Run['id']) {
    const now = this.clock.now();
    return this.ledger.claimRun(this.tenant, runId, { owner: 'worker-1', now, leaseUntil: now + 60_000 });
  }

  /** Commits changes that depend on nothing. */
  async write(run: Run, changes: LedgerChange[], decision: Partial<Decision> = {}): Promise<void> {
    const done = await this.ledger.transact(this.tenant, run.id, () => ({
      decision: { events: [], ...decision, changes },
      result: null,
    }));
    if (!done) throw new Error('the run is not there');
  }

  /** A run that is parked at one open interrupt of one call. */
  async parkedRun(fields: Partial<NewRun> = {}) {
    const run = await this.runningRun(fields);
    const call = aCall();
    const interrupt = anInterrupt({ callId: call.id });
    await this.write(run, [
      { type: 'turn.append', turn: aTurn() },
      { type: 'call.create', call },
      { type: 'interrupt.open', interrupt },
      { type: 'run.update', set: { status: 'interrupted', leaseUntil: null } },
    ]);
    return { run, call, interrupt };
  }

  async end(run: Run, status: 'completed' | 'failed' | 'cancelled' = 'completed'): Promise<void> {
    await this.write(run, [
      { type: 'run.update', set: { status, leaseUntil: null, finishedAt: this.clock.now() } },
    ]);
  }

  async pendingEvents(stream: StreamRef): Promise<{ type: string; [field: string]: unknown }[]> {
    const entries = await this.outbox.pending(this.tenant, stream);
    return entries.map(({ payload }) => JSON.parse(payload));
  }
}
