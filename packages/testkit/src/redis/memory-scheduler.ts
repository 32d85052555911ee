import type { Expiring, Nudges, Scheduler } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';

export interface Wake {
  tenant: TenantId;
  runId: RunId;
}

export interface Expiry {
  tenant: TenantId;
  what: Expiring;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

const keyOf = (tenant: TenantId, { kind, id }: Expiring) => `${tenant} ${kind} ${id}`;

/**
 * A queue without workers: a test takes the wakes and works on them itself. One wake a run waits at most, and one of the
 * sweeper for each fence; one that comes while the run is worked on waits for the next `take`.
 */
export class MemoryScheduler implements Scheduler, Nudges {
  private readonly waiting = new Map<string, Wake>();
  private readonly listeners = new Map<RunId, Set<() => void>>();
  private readonly timers = new Map<string, Expiry>();

  async wake(tenant: TenantId, runId: RunId): Promise<void> {
    this.waiting.set(`${tenant} ${runId}`, { tenant, runId });
  }

  async wakeAgain(tenant: TenantId, runId: RunId, fence: number): Promise<void> {
    this.waiting.set(`${tenant} ${runId} ${fence}`, { tenant, runId });
  }

  async nudge(_tenant: TenantId, runId: RunId): Promise<void> {
    for (const listener of this.listeners.get(runId) ?? []) listener();
  }

  async expireAt(tenant: TenantId, what: Expiring, at: number): Promise<void> {
    const key = keyOf(tenant, what);
    if (!this.timers.has(key)) this.timers.set(key, { tenant, what, at });
  }

  async forgetExpiry(tenant: TenantId, what: Expiring): Promise<void> {
    this.timers.delete(keyOf(tenant, what));
  }

  listen(runId: RunId, listener: () => void): () => void {
    const listeners = this.listeners.get(runId) ?? new Set();
    listeners.add(listener);
    this.listeners.set(runId, listeners);
    return () => void listeners.delete(listener);
  }

  /** The wake that waits longest; null when none does. */
  take(): Wake | null {
    for (const [key, wake] of this.waiting) {
      this.waiting.delete(key);
      return wake;
    }
    return null;
  }

  /** What is still to expire, in the order of its time. */
  get expiries(): Expiry[] {
    return [...this.timers.values()].sort((a, b) => a.at - b.at);
  }

  /** Takes what has its time by now, in the order of its time. */
  takeExpired(now: number): Expiry[] {
    const due = this.expiries.filter(({ at }) => at <= now);
    for (const { tenant, what } of due) this.timers.delete(keyOf(tenant, what));
    return due;
  }
}
