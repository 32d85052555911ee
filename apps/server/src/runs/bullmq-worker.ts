import type { RunId, TenantId } from '@plinth/protocol';
import { UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { ADVANCE_QUEUE, advanceJob } from './bullmq-advance-job.js';

/** Time for handlers to stop once they were told to. */
const STOP_GRACE_MS = 1_000;

export interface BullMqWorkerParts {
  /** A connection that retries for ever; the worker makes one more of it, which blocks. */
  connection: Redis;
  keys: RedisKeys;
  /** Jobs that run at once in this process. */
  concurrency: number;
  /** Works on the run for as long as there is something to do. The signal says that the process is closing. */
  handle(tenant: TenantId, runId: RunId, signal: AbortSignal): Promise<void>;
  /** Failed jobs, and failures of the queue itself. */
  onError(error: unknown): void;
  /**
   * Milliseconds for which a job belongs to a worker that does not renew it; another one gets it after at most twice
   * as long. Until then a wake for its run is held back, so it is shorter than a lease: the sweeper has a way of its
   * own (`wakeAgain`), but an answer that comes right after the take-over has not. Being wrong costs nothing, because
   * the lease decides. Default 5000.
   */
  lockMs?: number;
}

/** Takes jobs from the queue. Who may work on a run is decided by the run's lease, not here. */
export class BullMqWorker {
  readonly #worker: Worker;
  #active = 0;
  readonly #closing = new AbortController();

  constructor(private readonly parts: BullMqWorkerParts) {
    const { connection, keys, concurrency, onError, lockMs = 5_000 } = parts;
    this.#worker = new Worker(ADVANCE_QUEUE, (job) => this.#process(job.data), {
      connection,
      prefix: keys.queuePrefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A run that outlives several workers is no worse than any other.
      maxStalledCount: 10,
    });
    this.#worker.on('error', onError);
    this.#worker.on('failed', (_job, error) => onError(error));
  }

  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /**
   * Takes no more jobs, lets active ones end for `timeoutMs`, then aborts their signal. A job that does not stop
   * even then is left to the stalled check of another worker.
   */
  async close(timeoutMs = 10_000): Promise<void> {
    const idle = this.#worker.pause().catch(this.parts.onError);
    if (!(await settlesWithin(idle, timeoutMs))) {
      this.#closing.abort(new Error('the worker is closing'));
      await settlesWithin(idle, STOP_GRACE_MS);
    }
    await this.#worker.close(this.#active > 0);
  }

  async #process(data: unknown): Promise<void> {
    const job = advanceJob.safeParse(data);
    if (!job.success)
      throw new UnrecoverableError(`a job of the queue ${ADVANCE_QUEUE} is not valid: ${job.error.message}`);
    this.#active += 1;
    try {
      await this.parts.handle(job.data.tenantId, job.data.runId, this.#closing.signal);
    } finally {
      this.#active -= 1;
    }
  }
}

async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
