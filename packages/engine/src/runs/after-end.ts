import type { EndReason, TenantId } from '@plinth/protocol';
import { type CancelJobsPorts, cancelJobs } from '../tools/cancel-jobs.js';
import type { JobCancelReason } from '../tools/tool-executor.js';
import { type RetirePorts, retireRun } from './retire-run.js';
import type { Run, ToolCall } from './run.js';

export interface EndPorts extends RetirePorts, CancelJobsPorts {}

function reasonForJobs(reason: EndReason): JobCancelReason {
  if (reason === 'cancelled' || reason === 'superseded') return reason;
  return reason === 'budget_time' ? 'expired' : 'run_ended';
}

/**
 * What follows the commit that ended a run, whoever made it: the end is counted, jobs that are under way are told, and
 * what is in Redis is kept for less long. Never throws.
 *
 * @param jobs the calls whose job was under way when the run ended
 */
export async function afterEnd(
  ports: EndPorts,
  tenant: TenantId,
  run: Run,
  reason: EndReason,
  jobs: readonly ToolCall[],
): Promise<void> {
  ports.observer.runEnded(tenant, reason);
  void cancelJobs(ports, tenant, run, jobs, reasonForJobs(reason));
  await retireRun(ports, tenant, run);
}
