import type { Expiring } from '@plinth/engine';
import type { InterruptId, RunId, TenantId } from '@plinth/protocol';
import type { DefaultJobOptions, JobsOptions } from 'bullmq';
import { z } from 'zod';

/** The queue whose delayed jobs say: the time of this has come. */
export const EXPIRY_QUEUE = 'expiry';

export interface ExpiryJob {
  tenantId: TenantId;
  what: Expiring;
}

/** What a job must hold. Anybody who can write to Redis can add one, so it is checked. */
export const expiryJob = z
  .strictObject({
    tenantId: z.string().min(1),
    kind: z.enum(['interrupt', 'run']),
    id: z.string().min(1),
  })
  .transform(({ tenantId, kind, id }): ExpiryJob => {
    const what: Expiring = kind === 'run' ? { kind, id: id as RunId } : { kind, id: id as InterruptId };
    return { tenantId: tenantId as TenantId, what };
  });
export type ExpiryJobData = z.input<typeof expiryJob>;

/** As those of the other queue: the sweeper does what a failed job did not. */
export const EXPIRY_DEFAULTS: DefaultJobOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 250 },
  removeOnComplete: true,
  removeOnFail: { age: 3_600, count: 1_000 },
};

/** One job for each thing: asking twice is asking once, and it can be taken back. BullMQ allows no colon here. */
export function expiryJobId(tenant: TenantId, { kind, id }: Expiring): string {
  return `${tenant}.${kind}.${id}`;
}

/** A job that failed for good is not in the way of a new one for long: it has the id only until it is removed. */
export function expiryOptions(tenant: TenantId, what: Expiring, delayMs: number): JobsOptions {
  return { jobId: expiryJobId(tenant, what), delay: Math.max(0, delayMs) };
}
