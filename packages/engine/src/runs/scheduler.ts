import type { RunId, TenantId } from '@plinth/protocol';

/** Hints to workers. A lost hint costs time, never a run: the sweeper finds what is due in the ledger. */
export interface Scheduler {
  /** Asks for `advance(run)`. A wake that comes while a job for the run is active is not lost. */
  wake(tenant: TenantId, runId: RunId): Promise<void>;
  /**
   * Asks for `advance(run)` although a job for it may be there: the worker that took that job may be dead, and what it
   * held back must not wait for it. One such job per fence of the run waits at most.
   */
  wakeAgain(tenant: TenantId, runId: RunId, fence: number): Promise<void>;
  /** Tells the worker that holds the run, in whatever process, to look at the ledger now (cancel). */
  nudge(tenant: TenantId, runId: RunId): Promise<void>;
}
