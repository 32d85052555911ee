import { type Clock, toIso } from '@plinth/engine';
import type { InterruptId, TenantId } from '@plinth/protocol';
import type { RemoteJob as RemoteJobRow } from '../../generated/prisma/client.js';
import type { TenantDatabase } from '../../platform/database/tenant-database.js';
import { WHOLE_TENANT } from '../../tenants/whole-tenant.js';
import type { RemoteJob } from './remote-job.js';

export type NewRemoteJob = Omit<RemoteJob, 'tenant' | 'createdAt' | 'seenAt' | 'looks'>;

/** The rows of jobs that somebody has to look after. Leases keep two processes from looking after the same one. */
export class RemoteJobs {
  constructor(
    private readonly database: TenantDatabase,
    private readonly clock: Clock,
  ) {}

  async find(tenant: TenantId, callId: string): Promise<RemoteJob | null> {
    const row = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.remoteJob.findUnique({ where: { tenantId_callId: { tenantId: tenant, callId } } }),
    );
    return row === null ? null : toJob(row);
  }

  /** Notes a job before it is sent, or where it is sent now. @param firstLookMs from now */
  async note(tenant: TenantId, job: NewRemoteJob, firstLookMs: number): Promise<void> {
    const now = this.clock.now();
    const { host, jobId, state } = job;
    const nextLookAt = new Date(now + firstLookMs);
    const seenAt = new Date(now);
    await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.remoteJob.upsert({
        where: { tenantId_callId: { tenantId: tenant, callId: job.callId } },
        create: { ...job, tenantId: tenant, createdAt: new Date(now), seenAt, nextLookAt },
        update: { host, jobId, state, seenAt, nextLookAt },
      }),
    );
  }

  /** The host has it, under this name. */
  async confirm(tenant: TenantId, callId: string, jobId: string): Promise<void> {
    const now = new Date(this.clock.now());
    await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.remoteJob.updateMany({
        where: { tenantId: tenant, callId },
        data: { jobId, state: 'waiting', seenAt: now, nextLookAt: now },
      }),
    );
  }

  async remove(tenant: TenantId, callId: string): Promise<void> {
    await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.remoteJob.deleteMany({ where: { tenantId: tenant, callId } }),
    );
  }

  /** Jobs of all tenants that are to be looked at now, and that nobody looks after. */
  due(limit: number): Promise<{ tenant: TenantId; callId: string }[]> {
    return this.database.platform().$queryRaw<{ tenant: TenantId; callId: string }[]>`
      SELECT tenant_id AS tenant, call_id AS "callId"
        FROM plinth.due_remote_jobs(${toIso(this.clock.now())}::timestamptz, ${limit}::int)`;
  }

  /** Takes a job for `leaseMs`. Null when another process was quicker, or it is over. */
  async claim(
    tenant: TenantId,
    callId: string,
    lease: { owner: string; leaseMs: number },
  ): Promise<RemoteJob | null> {
    const now = this.clock.now();
    const until = new Date(now + lease.leaseMs);
    return this.database.inTenant(tenant, WHOLE_TENANT, async (tx) => {
      const free = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM remote_job
         WHERE tenant_id = ${tenant} AND call_id = ${callId} AND next_look_at <= ${new Date(now)}
           AND (lease_until IS NULL OR lease_until <= ${new Date(now)})
         FOR UPDATE SKIP LOCKED`;
      if (free.length === 0) return null;
      const row = await tx.remoteJob.update({
        where: { tenantId_callId: { tenantId: tenant, callId } },
        data: { leaseOwner: lease.owner, leaseUntil: until, looks: { increment: 1 } },
      });
      return toJob(row);
    });
  }

  /** Keeps a job that is held. False: it is another process's by now, or over. */
  async renew(
    { tenant, callId }: RemoteJob,
    lease: { owner: string; leaseMs: number },
    seenAt: number,
  ): Promise<boolean> {
    return this.#whileHeld(tenant, callId, lease.owner, {
      leaseUntil: new Date(this.clock.now() + lease.leaseMs),
      seenAt: new Date(seenAt),
    });
  }

  /** Lets a job go, to be looked at again after `delayMs`. */
  async release(
    { tenant, callId }: RemoteJob,
    owner: string,
    next: { delayMs: number; seenAt: number },
  ): Promise<void> {
    await this.#whileHeld(tenant, callId, owner, {
      leaseOwner: null,
      leaseUntil: null,
      nextLookAt: new Date(this.clock.now() + next.delayMs),
      seenAt: new Date(next.seenAt),
    });
  }

  async #whileHeld(
    tenant: TenantId,
    callId: string,
    owner: string,
    data: Partial<Pick<RemoteJobRow, 'leaseOwner' | 'leaseUntil' | 'nextLookAt' | 'seenAt'>>,
  ): Promise<boolean> {
    const { count } = await this.database.inTenant(tenant, WHOLE_TENANT, (tx) =>
      tx.remoteJob.updateMany({ where: { tenantId: tenant, callId, leaseOwner: owner }, data }),
    );
    return count > 0;
  }
}

function toJob(row: RemoteJobRow): RemoteJob {
  return {
    tenant: row.tenantId as TenantId,
    callId: row.callId,
    runId: row.runId,
    interruptId: row.interruptId as InterruptId,
    kind: row.kind as RemoteJob['kind'],
    host: row.host,
    jobId: row.jobId,
    state: row.state as RemoteJob['state'],
    createdAt: row.createdAt.getTime(),
    seenAt: row.seenAt.getTime(),
    looks: row.looks,
  };
}
