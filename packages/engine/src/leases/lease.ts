import type { RunId, TenantId } from '@plinth/protocol';
import type { Clock } from '../clock.js';
import type { Ledger } from '../runs/ledger.js';

/** Another worker holds the run now, or the run has ended. Whoever gets this stops and writes nothing more. */
export class LeaseLost extends Error {
  constructor(runId: RunId) {
    super(`the lease of run ${runId} is lost`);
    this.name = 'LeaseLost';
  }
}

/** Somebody asked for the run to be cancelled while it works. */
export class CancelRequested extends Error {
  constructor(runId: RunId) {
    super(`run ${runId} is to be cancelled`);
    this.name = 'CancelRequested';
  }
}

/** Tells the holder of a run to look at the ledger at once instead of at the next renewal. */
export interface Nudges {
  /** Returns the function that stops listening. */
  listen(runId: RunId, listener: () => void): () => void;
}

export interface LeaseTimes {
  /** Milliseconds that a claim or renewal lasts. A dead worker's run is free after at most this long. */
  leaseMs: number;
  /** Milliseconds between renewals; well below `leaseMs`, so that one slow renewal does no harm. */
  renewMs: number;
}

/**
 * Keeps the lease of one run alive while a worker works on it. `signal` aborts, with `LeaseLost` or
 * `CancelRequested` as its reason, when the work has to stop.
 */
export class Lease {
  private readonly lost = new AbortController();
  private readonly ended = new AbortController();
  private readonly stopListening: () => void;

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    nudges: Nudges,
    private readonly times: LeaseTimes,
    private readonly tenant: TenantId,
    private readonly runId: RunId,
    private readonly fence: number,
  ) {
    this.stopListening = nudges.listen(runId, () => void this.renew());
    void this.keepAlive();
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  fenced(): void {
    this.lost.abort(new LeaseLost(this.runId));
  }

  stop(): void {
    this.stopListening();
    this.ended.abort();
  }

  private async keepAlive(): Promise<void> {
    let heldUntil = this.clock.now() + this.times.leaseMs;
    while (!this.ended.signal.aborted && !this.lost.signal.aborted) {
      await this.clock.wait(this.times.renewMs, this.ended.signal).catch(() => {});
      if (this.ended.signal.aborted) return;
      const asked = this.clock.now();
      const boundMs = Math.min(this.times.renewMs, Math.max(0, heldUntil - asked));
      if (await this.renewWithin(boundMs)) heldUntil = asked + this.times.leaseMs;
      else if (this.clock.now() >= heldUntil) this.fenced();
    }
  }

  /** A renewal that hangs counts as one that failed. What it brings later is still heard. */
  private async renewWithin(boundMs: number): Promise<boolean> {
    const done = new AbortController();
    const late = this.clock.wait(boundMs, AbortSignal.any([done.signal, this.ended.signal])).then(
      () => false,
      // Over: the lease is not needed any more.
      () => true,
    );
    const inTime = await Promise.race([this.renew(), late]);
    done.abort();
    return inTime;
  }

  /** False when the ledger could not be asked; the lease may still be held. */
  private async renew(): Promise<boolean> {
    try {
      const { held, cancelRequested } = await this.ledger.renewLease(
        this.tenant,
        this.runId,
        this.fence,
        this.clock.now() + this.times.leaseMs,
      );
      if (this.ended.signal.aborted) return true;
      if (!held) this.fenced();
      else if (cancelRequested) this.lost.abort(new CancelRequested(this.runId));
      return true;
    } catch {
      // The database is away. Renewed again soon; given up when the lease's own time has passed.
      return false;
    }
  }
}
