import { PlinthError, type RunId, type TenantId } from '@plinth/protocol';
import { jobsUnderWay } from '../tools/cancel-jobs.js';
import { afterEnd } from './after-end.js';
import { closeRun } from './close-run.js';
import type { DoorPorts } from './door-ports.js';
import type { LockedRun } from './ledger.js';
import { type Decision, NOTHING } from './ledger-change.js';
import type { Run, ToolCall } from './run.js';
import { hasEnded } from './run-transitions.js';

type Verdict =
  | { kind: 'foreign' | 'ended' | 'asked'; run: Run }
  | { kind: 'closed'; run: Run; jobs: ToolCall[] };

function decideCancel(
  locked: LockedRun,
  mayCancel: (run: Run) => boolean,
  now: number,
): { decision: Decision; result: Verdict } {
  const { run } = locked;
  if (!mayCancel(run)) return { decision: NOTHING, result: { kind: 'foreign', run } };
  if (hasEnded(run.status)) return { decision: NOTHING, result: { kind: 'ended', run } };
  if (run.status === 'running') {
    const set = { cancelRequestedAt: run.cancelRequestedAt ?? now };
    return {
      decision: { changes: [{ type: 'run.update', set }], events: [] },
      result: { kind: 'asked', run },
    };
  }
  const decision = closeRun(locked, {
    status: 'cancelled',
    reason: 'cancelled',
    error: null,
    usage: run.usage,
    now,
  });
  return { decision, result: { kind: 'closed', run, jobs: jobsUnderWay(locked) } };
}

/**
 * Cancels a run. One that only waits ends at once; one that works is told, and its worker aborts the model's
 * stream and the running tools and ends it. Jobs that are under way elsewhere are told. Cancelling a run that has ended changes nothing.
 *
 * @param mayCancel decides under the lock, e.g. that the run is the caller's own
 * @throws PlinthError not_found
 */
export async function cancelRun(
  ports: DoorPorts,
  tenant: TenantId,
  runId: RunId,
  mayCancel: (run: Run) => boolean,
): Promise<void> {
  const { ledger, writer, scheduler, clock, observer } = ports;
  const outcome = await ledger.transact(tenant, runId, (locked) =>
    decideCancel(locked, mayCancel, clock.now()),
  );
  if (!outcome || outcome.result.kind === 'foreign')
    throw new PlinthError('not_found', 'There is no such run.');
  const { result } = outcome;
  try {
    if (result.kind === 'asked') await scheduler.nudge(tenant, runId);
    await writer.publish(tenant, outcome.outbox);
  } catch (error) {
    observer.problem(tenant, { runId, doing: 'announce the cancel' }, error);
  }
  if (result.kind === 'closed') await afterEnd(ports, tenant, result.run, 'cancelled', result.jobs);
}
