import type { RunId, TenantId } from '@plinth/protocol';
import { jobsUnderWay } from '../tools/cancel-jobs.js';
import { afterEnd } from './after-end.js';
import { isOverdue } from './budgets.js';
import { closeRun } from './close-run.js';
import type { DoorPorts } from './door-ports.js';
import type { LockedRun } from './ledger.js';
import { type Decision, NOTHING } from './ledger-change.js';
import type { Run, ToolCall } from './run.js';
import { hasEnded } from './run-transitions.js';

type Expired = { run: Run; jobs: ToolCall[] };

/** One that works is left to its worker, which looks at the time before each request to the model. */
function decideExpiry(locked: LockedRun, now: number): { decision: Decision; result: Expired | null } {
  const { run } = locked;
  if (hasEnded(run.status) || run.status === 'running' || !isOverdue(run, now))
    return { decision: NOTHING, result: null };
  const ending = { status: 'failed', reason: 'budget_time', error: null, usage: run.usage, now } as const;
  return { decision: closeRun(locked, ending), result: { run, jobs: jobsUnderWay(locked) } };
}

/**
 * Ends a run whose time is over and which nobody works on: its waits close, whatever time of their own they had left.
 * Does nothing to any other run, so it may be called any number of times.
 */
export async function expireRun(ports: DoorPorts, tenant: TenantId, runId: RunId): Promise<void> {
  const { ledger, writer, clock, observer } = ports;
  const outcome = await ledger.transact(tenant, runId, (locked) => decideExpiry(locked, clock.now()));
  if (!outcome?.result) return;
  try {
    await writer.publish(tenant, outcome.outbox);
  } catch (error) {
    observer.problem(tenant, { runId, doing: 'announce the end of an overdue run' }, error);
  }
  await afterEnd(ports, tenant, outcome.result.run, 'budget_time', outcome.result.jobs);
}
