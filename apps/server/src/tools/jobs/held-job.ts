import { type Clock, type DoorPorts, reportProgress } from '@plinth/engine';
import { type CallbackProgress, PlinthError, type ToolDefinition } from '@plinth/protocol';
import type { JobWatch, RemoteJob } from './remote-job.js';
import type { RemoteJobs } from './remote-jobs.js';

/** Milliseconds between two progress events of one job: more than a reader can see. */
const PROGRESS_MS = 250;

/** A job that this process holds: keeps the lease, and stops when it is lost. */
export class HeldJob implements JobWatch {
  readonly signal: AbortSignal;
  /** Another process has it, or it is over. */
  isLost = false;
  readonly #lost = new AbortController();
  readonly #done = new AbortController();
  #seenAt: number;
  #newest: CallbackProgress | null = null;
  #showing: Promise<void> | null = null;

  constructor(
    private readonly jobs: RemoteJobs,
    private readonly door: DoorPorts,
    private readonly clock: Clock,
    private readonly job: RemoteJob,
    readonly tool: ToolDefinition,
    private readonly lease: { owner: string; leaseMs: number },
    stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.#lost.signal]);
    this.#seenAt = job.seenAt;
    void this.#keep();
  }

  seen(): void {
    this.#seenAt = this.clock.now();
  }

  silentMs(): number {
    return this.clock.now() - this.#seenAt;
  }

  async confirm(jobId: string): Promise<void> {
    await this.jobs.confirm(this.job.tenant, this.job.callId, jobId);
  }

  progress(progress: CallbackProgress): void {
    this.#newest = progress;
    this.#showing ??= this.#show();
  }

  /** Resolves when the newest progress has been shown: it must not come after the end. */
  async shown(): Promise<void> {
    await this.#showing;
  }

  async isWanted(): Promise<boolean> {
    const found = await this.door.ledger.findInterrupt(
      this.job.tenant,
      { endUserId: null },
      this.job.interruptId,
    );
    return found?.interrupt.state === 'open';
  }

  async release(delayMs: number): Promise<void> {
    this.stop();
    await this.jobs.release(this.job, this.lease.owner, { delayMs, seenAt: this.#seenAt });
  }

  stop(): void {
    this.#done.abort();
  }

  async #show(): Promise<void> {
    while (this.#newest && !this.isLost) {
      const shown = this.#newest;
      this.#newest = null;
      await reportProgress(this.door, this.job.tenant, this.job.interruptId, shown).catch(
        (error: unknown) => {
          // Nobody waits any more; the follower finds out.
          if (!PlinthError.isInstance(error))
            this.door.observer.problem(
              this.job.tenant,
              { runId: this.job.runId, doing: 'show the progress of a job' },
              error,
            );
        },
      );
      if (this.#newest) await this.clock.wait(PROGRESS_MS, this.#done.signal).catch(() => {});
    }
    this.#showing = null;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#done;
    let keptAt = this.clock.now();
    while (!signal.aborted) {
      await this.clock.wait(this.lease.leaseMs / 3, signal).catch(() => {});
      if (signal.aborted) return;
      // A store that is away for a moment takes nothing from us; when it is away for longer, the lease is over.
      const kept = await this.jobs.renew(this.job, this.lease, this.#seenAt).catch(() => null);
      if (kept === true) keptAt = this.clock.now();
      if (kept === false || this.clock.now() - keptAt > this.lease.leaseMs) {
        this.isLost = !signal.aborted;
        this.#lost.abort(new Error('the job is looked after by another process, or over'));
        return;
      }
    }
  }
}
