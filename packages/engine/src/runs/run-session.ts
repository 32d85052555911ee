import {
  type CallId,
  compareSeq,
  type EventBody,
  type RunError,
  type TenantConfig,
  type TenantId,
} from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { Clock } from '../clock.js';
import type { EventWriter } from '../events/event-writer.js';
import { type Lease, LeaseLost } from '../leases/lease.js';
import { isUnconsumed } from '../tools/call-step.js';
import { jobsUnderWay } from '../tools/cancel-jobs.js';
import { toolOfCall } from '../tools/offered-tools.js';
import { afterEnd, type EndPorts } from './after-end.js';
import { closeRun, type Ending } from './close-run.js';
import type { Ledger, LockedRun, OutboxEntry, StreamRef } from './ledger.js';
import { applyChanges, type Decision, joinDecisions, type LedgerChange, NOTHING } from './ledger-change.js';
import type { Interrupt, RunState, ToolCall } from './run.js';
import { hasEnded } from './run-transitions.js';

export interface SessionPorts extends EndPorts {
  ledger: Ledger;
  writer: EventWriter;
  clock: Clock;
}

/** Milliseconds for which a configuration that was read counts as the present one. */
const FRESH_MS = 1_000;

/** `going_on`: committed, and the run is still ours. */
export type CommitOutcome = 'going_on' | 'parked' | 'stale';

const toSeq = (epoch: number, n: number) => ({ epoch, n });

/** What a run cannot do twice: it ends sooner or later, however many workers are lost while it does. */
const isProgress = (change: LedgerChange): boolean =>
  change.type === 'turn.append' || (change.type === 'call.update' && change.set.finishedAt != null);

interface Committed {
  kind: CommitOutcome;
  locked: LockedRun;
  changes: LedgerChange[];
}

/**
 * Rows under the lock are newer than ours: answers come in from other processes. A wait that we have as open and
 * that is no wait any more was closed by one: only what answers another wait of its call does that.
 */
function refreshed(state: RunState, locked: LockedRun): RunState {
  const newer = new Map<string, Interrupt>(locked.waits.map((interrupt) => [interrupt.id, interrupt]));
  const known = new Set<string>(state.interrupts.map((interrupt) => interrupt.id));
  const newest = (ours: Interrupt): Interrupt =>
    newer.get(ours.id) ?? (ours.state === 'open' ? { ...ours, state: 'closed', closedWhy: 'settled' } : ours);
  return {
    ...state,
    run: locked.run,
    interrupts: [
      ...state.interrupts.map(newest),
      ...locked.waits.filter((interrupt) => !known.has(interrupt.id)),
    ],
  };
}

/**
 * A worker's hold on one run: its state in memory, and the one way to change it. Every commit keeps the write
 * order: ledger, then snapshot (when somebody may now be asked something), then events.
 */
export class RunSession {
  private queue: Promise<unknown> = Promise.resolve();
  readonly stream: StreamRef;
  /** Calls whose tool was invoked here. One with a receipt of this fence and not among them has not begun. */
  readonly begun = new Set<CallId>();
  private configReadAt: number;

  constructor(
    readonly ports: SessionPorts,
    readonly tenant: TenantId,
    readonly agent: AgentVersion,
    readonly lease: Lease,
    public state: RunState,
    /** Events that belong before the next commit's own, e.g. `run.resumed`. */
    private pendingEvents: EventBody[],
    /** Snapshot segments below this number are stored already. */
    private nextSegment: number,
    /** Read when the run was opened, just now. */
    private loadedConfig: { revision: number; values: TenantConfig },
  ) {
    this.configReadAt = ports.clock.now();
    this.stream = { kind: 'message', id: state.run.messageId };
  }

  /** The configuration as it is now, for a turn. */
  async freshConfig(): Promise<{ revision: number; values: TenantConfig }> {
    if (this.ports.clock.now() - this.configReadAt < FRESH_MS) return this.loadedConfig;
    this.configReadAt = this.ports.clock.now();
    const { revision, forAgent } = await this.ports.config.current(this.tenant);
    this.loadedConfig = { revision, values: forAgent(this.agent.definition.config) };
    return this.loadedConfig;
  }

  /** The configuration that the last turn read. */
  get config(): TenantConfig {
    return this.loadedConfig.values;
  }

  /** The revision of the tenant's configuration that it came from. */
  get configRevision(): number {
    return this.loadedConfig.revision;
  }

  /**
   * Commits a decision under the run row's lock.
   *
   * @throws LeaseLost when another worker holds the run or it has ended; nothing is written then
   */
  async commit(decision: Decision | ((locked: LockedRun) => Decision)): Promise<void> {
    await this.enqueue(decision, { park: false, plan: false });
  }

  /**
   * Commits what was planned from the state as it is here. With `park`, the run is also left to wait, unless a
   * cancel was asked for: then the plan is committed, and the run goes on. `stale`: an answer came in that the
   * plan does not know. Nothing is written then; plan again.
   *
   * @throws LeaseLost when another worker holds the run or it has ended; nothing is written then
   */
  commitPlan(plan: Decision, { park }: { park: boolean }): Promise<CommitOutcome> {
    return this.enqueue(plan, { park, plan: true });
  }

  /** Whether events wait for the next commit that readers have to see before anything new is streamed. */
  get hasPendingEvents(): boolean {
    return this.pendingEvents.length > 0;
  }

  private enqueue(
    decision: Decision | ((locked: LockedRun) => Decision),
    as: { park: boolean; plan: boolean },
  ): Promise<CommitOutcome> {
    const done = this.queue.then(() => this.commitNow(decision, as));
    this.queue = done.catch(() => {});
    return done;
  }

  /** Ends the run. `before` is committed with it: the last turn, say. */
  async end(
    ending: Pick<Ending, 'status' | 'reason'> & { error?: RunError },
    before: Decision = NOTHING,
  ): Promise<void> {
    const now = this.ports.clock.now();
    const { status, reason, error = null } = ending;
    let jobs: ToolCall[] = [];
    await this.commit((locked) => {
      jobs = jobsUnderWay(locked);
      const usage = before.changes.reduce(
        (sum, change) => (change.type === 'run.update' ? (change.set.usage ?? sum) : sum),
        locked.run.usage,
      );
      const isHarmless = (call: ToolCall) => this.isHarmless(call);
      return joinDecisions([before, closeRun(locked, { status, reason, error, usage, now, isHarmless })]);
    });
    await afterEnd(this.ports, this.tenant, this.state.run, reason, jobs);
  }

  private isHarmless(call: ToolCall): boolean {
    if (call.startedFence === this.state.run.fence && !this.begun.has(call.id)) return true;
    return toolOfCall(this.agent, this.state.calls, call)?.idempotent ?? false;
  }

  private async commitNow(
    decision: Decision | ((locked: LockedRun) => Decision),
    { park, plan }: { park: boolean; plan: boolean },
  ): Promise<CommitOutcome> {
    const { ledger, writer } = this.ports;
    const { id: runId, fence } = this.state.run;
    const position = writer.position(this.tenant, this.stream);
    const decide = (locked: LockedRun): { decision: Decision; result: Committed } => {
      if (locked.run.fence !== fence || hasEnded(locked.run.status)) throw new LeaseLost(runId);
      if (plan && this.isOvertaken(locked))
        return { decision: NOTHING, result: { kind: 'stale', locked, changes: [] } };
      const wanted = typeof decision === 'function' ? decision(locked) : decision;
      const parked = park && locked.run.cancelRequestedAt === null;
      const changes: LedgerChange[] = [...wanted.changes];
      const events = [...this.pendingEvents, ...wanted.events];
      if (parked) {
        const opened = changes.flatMap((change) =>
          change.type === 'interrupt.open' ? [change.interrupt] : [],
        );
        const open = [...locked.waits, ...opened].filter((interrupt) => interrupt.state === 'open');
        changes.push({ type: 'run.update', set: { status: 'interrupted', leaseUntil: null } });
        events.push({ type: 'run.interrupted', interruptIds: open.map((interrupt) => interrupt.id) });
      }
      // Another process may have raised the epoch meanwhile: what is recorded only grows.
      const isNewer =
        position &&
        compareSeq(toSeq(position.epoch, position.tail), toSeq(locked.run.eventEpoch, locked.run.eventTail)) >
          0;
      if (isNewer && (parked || changes.some((change) => change.type === 'turn.append'))) {
        changes.push({ type: 'run.update', set: { eventEpoch: position.epoch, eventTail: position.tail } });
      }
      if ((parked || changes.some(isProgress)) && locked.run.attempts > 0)
        changes.push({ type: 'run.update', set: { attempts: 0 } });
      return {
        decision: { ...wanted, changes, events },
        result: { kind: parked ? 'parked' : 'going_on', locked, changes },
      };
    };
    const outcome = await ledger.transact(this.tenant, runId, decide).catch((error: unknown) => {
      // Tools of this run may still be running here: they have to stop too.
      if (error instanceof LeaseLost) this.lease.fenced();
      throw error;
    });
    if (!outcome) throw new LeaseLost(runId);
    const { result, outbox } = outcome;
    this.state = refreshed(this.state, result.locked);
    if (result.kind === 'stale') return 'stale';
    this.pendingEvents = [];
    this.state = applyChanges(this.state, result.changes);
    const asksSomebody =
      result.kind === 'parked' || result.changes.some((change) => change.type === 'interrupt.open');
    await this.publish(outbox, asksSomebody);
    return result.kind;
  }

  /** An answer is in the ledger that this worker has not heard of: what it planned may contradict it. */
  private isOvertaken(locked: LockedRun): boolean {
    const known = new Set(this.state.interrupts.filter(isUnconsumed).map((interrupt) => interrupt.id));
    return locked.waits.some((interrupt) => isUnconsumed(interrupt) && !known.has(interrupt.id));
  }

  private async publish(outbox: readonly OutboxEntry[], withSnapshot: boolean): Promise<void> {
    const { snapshots, writer, observer } = this.ports;
    if (withSnapshot) {
      const { ttl, snapshots: limits } = this.config;
      this.nextSegment = await snapshots.write(this.tenant, this.state, this.nextSegment, {
        ttlSeconds: ttl.activeSnapshotSeconds,
        alarmBytes: limits.alarmBytes,
      });
    }
    try {
      await writer.publish(this.tenant, outbox);
    } catch (error) {
      // They are in the outbox: the sweeper publishes them when the log is there again.
      observer.problem(this.tenant, { runId: this.state.run.id, doing: 'publish events' }, error);
    }
  }
}
