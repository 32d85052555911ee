import type { InterruptId, RunId, TenantId } from '@plinth/protocol';

/** What has its time: an open wait, or a parked run. */
export type Expiring = { kind: 'interrupt'; id: InterruptId } | { kind: 'run'; id: RunId };

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
  /**
   * Asks for a look at this when its time has come, by whichever worker then lives. Once, however often it is asked for.
   *
   * @param at milliseconds since the Unix epoch; a time that has passed is now
   */
  expireAt(tenant: TenantId, what: Expiring, at: number): Promise<void>;
  /** The look is not needed any more. Does nothing when there is none to come, or it is under way. */
  forgetExpiry(tenant: TenantId, what: Expiring): Promise<void>;
}
