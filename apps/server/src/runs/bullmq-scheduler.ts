import type { Expiring, Scheduler } from '@plinth/engine';
import type { RunId, TenantId } from '@plinth/protocol';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import {
  ADVANCE_DEFAULTS,
  ADVANCE_QUEUE,
  type AdvanceJob,
  advanceOptions,
  againOptions,
} from './bullmq-advance-job.js';
import {
  EXPIRY_DEFAULTS,
  EXPIRY_QUEUE,
  type ExpiryJobData,
  expiryJobId,
  expiryOptions,
} from './bullmq-expiry-job.js';

export interface BullMqSchedulerParts {
  /** Connection of the queue's Redis. */
  queue: Redis;
  /** Connection that publishes nudges, on the Redis that the subscriber listens to. */
  commands: Redis;
  keys: RedisKeys;
  /** A hint that could not be given. The caller's change is committed, so it must not fail by this. */
  onError(error: unknown): void;
}

/** Wakes workers by jobs of a queue, and holders of a run by a message on one channel that every process hears. */
export class BullMqScheduler implements Scheduler {
  readonly #queue: Queue<AdvanceJob>;
  readonly #expiries: Queue<ExpiryJobData>;

  constructor(private readonly parts: BullMqSchedulerParts) {
    const { queue, keys, onError } = parts;
    this.#queue = new Queue(ADVANCE_QUEUE, {
      connection: queue,
      prefix: keys.queuePrefix,
      defaultJobOptions: ADVANCE_DEFAULTS,
    });
    this.#queue.on('error', onError);
    this.#expiries = new Queue(EXPIRY_QUEUE, {
      connection: queue,
      prefix: keys.queuePrefix,
      defaultJobOptions: EXPIRY_DEFAULTS,
    });
    this.#expiries.on('error', onError);
  }

  async wake(tenant: TenantId, runId: RunId): Promise<void> {
    const job: AdvanceJob = { tenantId: tenant, runId };
    await this.#add(job, advanceOptions(job));
  }

  async wakeAgain(tenant: TenantId, runId: RunId, fence: number): Promise<void> {
    const job: AdvanceJob = { tenantId: tenant, runId };
    await this.#add(job, againOptions(job, fence));
  }

  async nudge(tenant: TenantId, runId: RunId): Promise<void> {
    const about: AdvanceJob = { tenantId: tenant, runId };
    try {
      await this.parts.commands.publish(this.parts.keys.nudgeChannel, JSON.stringify(about));
    } catch (error) {
      this.parts.onError(error);
    }
  }

  async expireAt(tenant: TenantId, what: Expiring, at: number): Promise<void> {
    try {
      const options = expiryOptions(tenant, what, at - Date.now());
      await this.#expiries.add(EXPIRY_QUEUE, { tenantId: tenant, ...what }, options);
    } catch (error) {
      this.parts.onError(error);
    }
  }

  async forgetExpiry(tenant: TenantId, what: Expiring): Promise<void> {
    try {
      await this.#expiries.remove(expiryJobId(tenant, what));
    } catch (error) {
      this.parts.onError(error);
    }
  }

  async close(): Promise<void> {
    await this.#expiries.close();
    await this.#queue.close();
  }

  async #add(job: AdvanceJob, options: JobsOptions): Promise<void> {
    try {
      await this.#queue.add(ADVANCE_QUEUE, job, options);
    } catch (error) {
      this.parts.onError(error);
    }
  }
}
