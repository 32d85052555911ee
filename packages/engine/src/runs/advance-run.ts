import type { EventBody, RunId, TenantId } from '@plinth/protocol';
import type { AgentCatalog } from '../agent-catalog.js';
import { CancelRequested, Lease, LeaseLost, type LeaseTimes, type Nudges } from '../leases/lease.js';
import { type ExecutionPorts, runExecutions } from '../tools/run-executions.js';
import { exhaustedBudget, repeatsTooOften } from './budgets.js';
import type { Claim } from './ledger.js';
import { loadRun } from './load-run.js';
import { planCalls } from './plan-calls.js';
import { RunSession, type SessionPorts } from './run-session.js';
import { runTurn, type TurnPorts } from './run-turn.js';
import type { Scheduler } from './scheduler.js';

export interface AdvancePorts extends SessionPorts, TurnPorts, ExecutionPorts {
  agents: AgentCatalog;
  scheduler: Scheduler;
  nudges: Nudges;
}

export interface AdvanceOptions {
  /** Names this worker process in the lease. */
  owner: string;
  lease: LeaseTimes;
}

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
    const claim = await ledger.claimRun(tenant, runId, { owner, now, leaseUntil: now + times.leaseMs });
    if (!claim) return;
    const lease = new Lease(ledger, clock, this.ports.nudges, times, tenant, runId, claim.run.fence);
    let session: RunSession | null = null;
    try {
      session = await this.open(tenant, claim, lease);
      await this.drive(session, stop);
    } catch (error) {
      await this.leave(claim, tenant, session, stop, lease.signal.aborted ? lease.signal.reason : error);
    } finally {
      lease.stop();
    }
  }

  private async open(tenant: TenantId, claim: Claim, lease: Lease): Promise<RunSession> {
    const { ledger, snapshots, observer, agents, log, writer } = this.ports;
    const { run, recovered } = claim;
    const resuming = run.fence > 1;
    const agent = await agents.version(tenant, run.agentVersionId);
    const { state, storedSegments } = await loadRun(
      { ledger, snapshots, observer },
      tenant,
      run.id,
      resuming,
    );
    const events: EventBody[] = [];
    if (recovered) events.push({ type: 'message.reset', turn: state.turns.length, why: 'worker lost' });
    // Also after a loss: the lost worker may have taken over a parked run and not have come to saying so.
    if (resuming) events.push({ type: 'run.resumed' });
    const session = new RunSession(this.ports, tenant, agent, lease, state, events, storedSegments);
    const { ttl } = await session.config();
    await log.setFence(tenant, session.stream, run.fence, ttl.activeEventsSeconds);
    await writer.drain(tenant, session.stream);
    return session;
  }

  private async drive(session: RunSession, stop: AbortSignal): Promise<void> {
    const { ids, callbacks, clock } = this.ports;
    const { tenant, agent } = session;
    for (;;) {
      stop.throwIfAborted();
      session.lease.signal.throwIfAborted();
      this.throwIfCancelled(session);

      const { budgets, tools } = await session.config();
      if (repeatsTooOften(session.state, budgets))
        return await session.end({ status: 'failed', reason: 'budget_repetition' });
      const plan = planCalls(session.state, {
        tenant,
        agent,
        ids,
        callbacks,
        now: clock.now(),
        maxParallel: tools.maxParallel,
      });
      if (plan.executions.length > 0) {
        if ((await session.commitPlan(plan.decision, { park: false })) === 'stale') continue;
        this.throwIfCancelled(session);
        await runExecutions(session, this.ports, plan.executions);
      } else if (!plan.settled) {
        if ((await session.commitPlan(plan.decision, { park: true })) === 'parked') return;
      } else {
        // Also for what only waits to be announced: a reader must drop a lost turn before its text comes again.
        const unwritten = plan.decision.changes.length > 0 || session.hasPendingEvents;
        if (unwritten && (await session.commitPlan(plan.decision, { park: false })) === 'stale') continue;
        const spent = exhaustedBudget(session.state, budgets, clock.now());
        if (spent !== null) return await session.end({ status: 'failed', reason: spent });
        if (await runTurn(session, this.ports, stop)) return;
      }
    }
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
      if (why instanceof CancelRequested) await session.end({ status: 'cancelled', reason: 'cancelled' });
      else if (stop.aborted) {
        await session.commit({
          changes: [{ type: 'run.update', set: { leaseUntil: clock.now() } }],
          events: [],
        });
        await scheduler.wake(tenant, runId);
      } else {
        observer.problem(tenant, { runId, doing: 'advance the run' }, why);
        // A store that was away for a moment must not end a run: the lease runs out and the next worker tries once more.
        if (!claim.recovered) return;
        const error = {
          code: 'internal_error',
          message: 'Something went wrong inside the platform. The run was ended.',
        };
        await session.end({ status: 'failed', reason: 'internal_error', error });
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) observer.problem(tenant, { runId, doing: 'leave the run' }, error);
    }
  }
}
