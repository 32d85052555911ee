import type { RunId, TenantId } from '@plinth/protocol';
import type { DefaultJobOptions, JobsOptions } from 'bullmq';
import { z } from 'zod';

/** The queue whose jobs say: this run may have something to do. */
export const ADVANCE_QUEUE = 'advance';

export interface AdvanceJob {
  tenantId: TenantId;
  runId: RunId;
}

/** What a job must hold. Anybody who can write to Redis can add one, so it is checked. */
export const advanceJob = z
  .strictObject({ tenantId: z.string().min(1), runId: z.string().min(1) })
  .transform((data) => data as AdvanceJob);

/**
 * A finished job is of no use: what happened is in the ledger. Some failed ones stay for a while to be looked
 * at. The retries bridge a short failure of a store; after them the sweeper finds the run.
 */
export const ADVANCE_DEFAULTS: DefaultJobOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 250 },
  removeOnComplete: true,
  removeOnFail: { age: 3_600, count: 1_000 },
};

/** One job a run waits at most. A wake while one is active is kept and becomes a job when that one has finished. */
export function advanceOptions({ tenantId, runId }: AdvanceJob): JobsOptions {
  return { deduplication: { id: `${tenantId}.${runId}`, keepLastIfActive: true } };
}

/**
 * Of what the sweeper finds, one job a fence: it stands beside the job of a dead worker, which stays active, and holds
 * wakes back, until its lock has ended and another worker has looked twice. Nothing is kept: the sweeper looks again.
 */
export function againOptions({ tenantId, runId }: AdvanceJob, fence: number): JobsOptions {
  return { deduplication: { id: `${tenantId}.${runId}.${fence}` } };
}
