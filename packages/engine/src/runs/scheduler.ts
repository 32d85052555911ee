import type { RunId, TenantId } from '@plinth/protocol';

/** Hints to workers. A lost hint costs time, never a run: the sweeper finds what is due in the ledger. */
export interface Scheduler {
  /** Asks for `advance(run)`. A wake that comes while a job for the run is active is not lost. */
  wake(tenant: TenantId, runId: RunId): Promise<void>;
  /** Tells the worker that holds the run, in whatever process, to look at the ledger now (cancel). */
  nudge(tenant: TenantId, runId: RunId): Promise<void>;
}
