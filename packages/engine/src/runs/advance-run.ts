import type { RunId, TenantId } from '@plinth/protocol';
import { CancelRequested, Lease, LeaseLost, type LeaseTimes, type Nudges } from '../leases/lease.js';
import type { RememberedApproval } from '../tools/approval.js';
import { cancelJobs, jobsUnderWay } from '../tools/cancel-jobs.js';
import { offeredTools } from '../tools/offered-tools.js';
import type { RememberedApprovals } from '../tools/remembered-approvals.js';
import { type ExecutionPorts, runExecutions } from '../tools/run-executions.js';
import { canRun } from '../tools/tool-executor.js';
import { afterEnd } from './after-end.js';
import { endBeforeTurn } from './budgets.js';
import { closeRun } from './close-run.js';
import type { Claim } from './ledger.js';
import { applyChanges, type Decision, joinDecisions, NOTHING } from './ledger-change.js';
import { openRun, readEarly } from './open-run.js';
import { type CallPlan, planCalls } from './plan-calls.js';
import { repeatsTooOften } from './repeated-calls.js';
import type { Run, RunState } from './run.js';
import type { RunSession, SessionPorts } from './run-session.js';
import { runTurn, type TurnPorts } from './run-turn.js';
import type { Scheduler } from './scheduler.js';

export interface AdvancePorts extends SessionPorts, TurnPorts, ExecutionPorts {
  approvals: RememberedApprovals;
  scheduler: Scheduler;
  nudges: Nudges;
}

export interface AdvanceOptions {
  /** Names this worker process in the lease. */
  owner: string;
  lease: LeaseTimes;
}

/** Takes back what may have been streamed of a turn that will not be in the ledger. */
const withdrawal = (turn: number, why: string): Decision => ({
  changes: [],
  events: [{ type: 'message.reset', turn, why }],
});

/** Workers that may fail or die in a row before the run is given up. Each takes a lease's time. */
const MOST_ATTEMPTS = 20;

/**
 * `advance(run)`: the one thing that a worker does. Takes the lease, then goes on with the run, whatever it
 * was stopped by, until it ends or only waits are left; then it parks and nothing of it remains in the process.
 *
 *   plan the calls -> carry out -> ... -> ask the model -> plan the calls -> ... -> park | end
 */
export class RunAdvancer {
  constructor(
    private readonly ports: AdvancePorts,
    private readonly options: AdvanceOptions,
  ) {}

  /**
   * Safe to call at any time, any number of times, from any process: one caller gets the lease, the others return.
   *
   * @param stop aborted when the process shuts down: the run is let go at the next safe point
   */
  async advance(tenant: TenantId, runId: RunId, stop: AbortSignal): Promise<void> {
    const { ledger, clock } = this.ports;
    const { owner, lease: times } = this.options;
    const now = clock.now();
    const early = readEarly(this.ports, tenant, runId);
    const claim = await ledger.claimRun(tenant, runId, { owner, now, leaseUntil: now + times.leaseMs });
    if (!claim) return;
    if (claim.run.attempts >= MOST_ATTEMPTS) return this.giveUp(tenant, claim.run);
    const lease = new Lease(ledger, clock, this.ports.nudges, times, tenant, runId, claim.run.fence);
    let session: RunSession | null = null;
    try {
      session = await openRun(this.ports, tenant, claim, lease, early);
      await this.drive(session, stop);
    } catch (error) {
      await this.leave(claim, tenant, session, stop, lease.signal.aborted ? lease.signal.reason : error);
    } finally {
      lease.stop();
    }
  }

  private async drive(session: RunSession, stop: AbortSignal): Promise<void> {
    const { clock } = this.ports;
    /** The model's last answer. It is written together with what its calls need first. */
    let turn: Decision | null = null;
    for (;;) {
      if (turn === null) {
        stop.throwIfAborted();
        session.lease.signal.throwIfAborted();
        this.throwIfCancelled(session);
      }
      const state: RunState = turn === null ? session.state : applyChanges(session.state, turn.changes);
      if (repeatsTooOften(state.calls, session.config.budgets.maxRepeatedCalls)) {
        if (turn !== null) await session.commit(turn);
        return await session.end({ status: 'failed', reason: 'budget_repetition' });
      }
      const remembered = await this.refresh(session, state);
      const plan = this.plan(session, state, remembered);
      const decision = turn === null ? plan.decision : joinDecisions([turn, plan.decision]);
      const park = plan.executions.length === 0 && !plan.settled;
      // Also for what only waits to be announced: a reader must drop a lost turn before its text comes again.
      if (decision.changes.length > 0 || park || session.hasPendingEvents) {
        const outcome = await session.commitPlan(decision, { park });
        if (outcome === 'stale') continue;
        void cancelJobs(this.ports, session.tenant, state.run, plan.abandoned, 'expired');
        if (outcome === 'parked') return;
        turn = null;
      }
      if (plan.executions.length > 0) {
        this.throwIfCancelled(session);
        await runExecutions(session, this.ports, plan.executions);
      } else if (plan.settled) {
        const { agent, config } = session;
        const end = endBeforeTurn(
          session.state,
          offeredTools(agent, session.state.calls, session.state.turns.length),
          config.budgets,
          clock.now(),
        );
        if (end !== null) return await session.end(end);
        turn = await runTurn(session, this.ports, stop);
        if (turn === null) return;
      }
    }
  }

  /**
   * Reads what decides about calls that are about to be made, as it is now: the model, or a person, may have taken
   * their time.
   */
  private async refresh(session: RunSession, state: RunState): Promise<RememberedApproval[]> {
    const pending = state.calls.filter(({ status }) => status === 'pending');
    if (pending.length === 0) return [];
    await session.freshConfig();
    const { tools } = session.agent;
    const mayBeRemembered = pending.some(
      (call) => tools.find(({ key }) => key === call.tool)?.remember === 'thread',
    );
    if (!mayBeRemembered) return [];
    const { threadId, endUserId } = state.run;
    return this.ports.approvals.remembered(session.tenant, { endUserId }, threadId);
  }

  private plan(session: RunSession, state: RunState, remembered: readonly RememberedApproval[]): CallPlan {
    const { ids, callbacks, clock, executor } = this.ports;
    const { tenant, agent, config } = session;
    const { maxParallel, permissions } = config.tools;
    const { maxRepeatedCalls } = config.budgets;
    return planCalls(state, {
      tenant,
      agent,
      ids,
      callbacks,
      now: clock.now(),
      canRun: (tool) => canRun(executor, tool),
      remembered,
      permissions: {
        tenant: permissions,
        agent: agent.definition.permissions ?? [],
        revision: session.configRevision,
      },
      maxParallel,
      maxRepeatedCalls,
    });
  }

  private throwIfCancelled({ state: { run } }: RunSession): void {
    if (run.cancelRequestedAt !== null) throw new CancelRequested(run.id);
  }

  private async leave(
    claim: Claim,
    tenant: TenantId,
    session: RunSession | null,
    stop: AbortSignal,
    why: unknown,
  ): Promise<void> {
    const { observer, clock, scheduler } = this.ports;
    const runId = claim.run.id;
    if (why instanceof LeaseLost) return;
    if (!session) {
      observer.problem(tenant, { runId, doing: 'open the run' }, why);
      return;
    }
    try {
      if (why instanceof CancelRequested) {
        const turn = session.state.turns.length;
        await session.end({ status: 'cancelled', reason: 'cancelled' }, withdrawal(turn, 'cancelled'));
      } else if (stop.aborted) {
        await session.commit({
          changes: [{ type: 'run.update', set: { leaseUntil: clock.now() } }],
          events: [],
        });
        await scheduler.wake(tenant, runId);
      } else {
        observer.problem(tenant, { runId, doing: 'advance the run' }, why);
        // A store that was away for a moment must not end a run: the lease runs out, and another attempt is made.
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) observer.problem(tenant, { runId, doing: 'leave the run' }, error);
    }
  }

  /** Ends a run that no worker could get on with, without opening it: opening may be what fails. */
  private async giveUp(tenant: TenantId, run: Run): Promise<void> {
    const { ledger, writer, clock, observer } = this.ports;
    const error = {
      code: 'internal_error',
      message: 'Something went wrong inside the platform, several times. The run was ended.',
    };
    try {
      const turn = (await ledger.loadTail(tenant, run.id, 0))?.turns.length ?? 0;
      const outcome = await ledger.transact(tenant, run.id, (locked) => {
        if (locked.run.fence !== run.fence) return { decision: NOTHING, result: [] };
        const { usage } = locked.run;
        const ending = {
          status: 'failed',
          reason: 'internal_error',
          error,
          usage,
          now: clock.now(),
        } as const;
        const decision = joinDecisions([withdrawal(turn, 'worker lost'), closeRun(locked, ending)]);
        return { decision, result: jobsUnderWay(locked) };
      });
      await writer.publish(tenant, outcome?.outbox ?? []);
      await afterEnd(this.ports, tenant, run, 'internal_error', outcome?.result ?? []);
    } catch (failure) {
      observer.problem(tenant, { runId: run.id, doing: 'give up the run' }, failure);
    }
  }
}
