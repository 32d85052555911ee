import type { InterruptId, RunId, TenantId } from '@plinth/protocol';
import type { RunRow, TenantRows } from './memory-rows.js';

export type DueRun = { tenant: TenantId; runId: RunId; fence: number };
export type OverdueRun = { tenant: TenantId; runId: RunId };
export type DueInterrupt = { tenant: TenantId; interruptId: InterruptId };

type Tenants = ReadonlyMap<TenantId, TenantRows>;

const allRuns = (tenants: Tenants): (RunRow & { tenant: TenantId })[] =>
  [...tenants].flatMap(([tenant, { runs }]) => [...runs.values()].map((row) => ({ ...row, tenant })));

export function dueRuns(
  tenants: Tenants,
  { now, queuedBefore, limit }: { now: number; queuedBefore: number; limit: number },
): DueRun[] {
  return allRuns(tenants)
    .filter(({ record: { run }, queuedAt }) => {
      if (run.status === 'queued') return queuedAt < queuedBefore;
      return run.status === 'running' && run.leaseUntil !== null && run.leaseUntil < now;
    })
    .slice(0, limit)
    .map(({ tenant, record: { run } }) => ({ tenant, runId: run.id, fence: run.fence }));
}

export function overdueRuns(tenants: Tenants, { now, limit }: { now: number; limit: number }): OverdueRun[] {
  return allRuns(tenants)
    .filter(
      ({ record: { run } }) =>
        (run.status === 'queued' || run.status === 'interrupted') && run.deadlineAt <= now,
    )
    .slice(0, limit)
    .map(({ tenant, record }) => ({ tenant, runId: record.run.id }));
}

export function dueInterrupts(
  tenants: Tenants,
  { now, limit }: { now: number; limit: number },
): DueInterrupt[] {
  return allRuns(tenants)
    .flatMap(({ tenant, record }) => record.interrupts.map((interrupt) => ({ tenant, interrupt })))
    .filter(
      ({ interrupt: { state, expiresAt } }) => state === 'open' && expiresAt !== null && expiresAt <= now,
    )
    .slice(0, limit)
    .map(({ tenant, interrupt }) => ({ tenant, interruptId: interrupt.id }));
}
