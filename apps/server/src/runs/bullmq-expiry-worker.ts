import type { Expiring } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import { EXPIRY_QUEUE, expiryJob } from './bullmq-expiry-job.js';

/** Expiries that one process handles at once. Each is a transaction or two. */
const CONCURRENCY = 10;

export interface ExpiryWorkerParts {
  /** A connection that retries for ever; the worker makes one more of it, which blocks. */
  connection: Redis;
  keys: RedisKeys;
  handle(tenant: TenantId, what: Expiring): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Takes what has its time. Workers of their own, so that an expiry does not wait for a run to end its turn. A job that
 * comes too early by another machine's clock finds nothing due and is gone: the sweeper has the thing in its view.
 */
export class BullMqExpiryWorker {
  readonly #worker: Worker;

  constructor({ connection, keys, handle, onError }: ExpiryWorkerParts) {
    this.#worker = new Worker(
      EXPIRY_QUEUE,
      async (job) => {
        const read = expiryJob.safeParse(job.data);
        if (!read.success)
          throw new UnrecoverableError(
            `a job of the queue ${EXPIRY_QUEUE} is not valid: ${read.error.message}`,
          );
        await handle(read.data.tenantId, read.data.what);
      },
      { connection, prefix: keys.queuePrefix, concurrency: CONCURRENCY },
    );
    this.#worker.on('error', onError);
    this.#worker.on('failed', (_job, error) => onError(error));
  }

  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /** Lets those under way end. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
