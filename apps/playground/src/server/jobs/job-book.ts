import { randomUUID } from 'node:crypto';

export type Job = { id: string; acceptedAt: string };

/** More repeats than these are not recognised: the memory of a sample service must not grow for ever. */
const REMEMBERED_JOBS = 1_000;

/** Remembers jobs by idempotency key, so that a request which is sent again starts nothing again. */
export class JobBook {
  readonly #jobs = new Map<string, Job>();

  /** The job of this key, and whether it is a new one. */
  accept(idempotencyKey: string, now: Date): { job: Job; isNew: boolean } {
    const known = this.#jobs.get(idempotencyKey);
    if (known) return { job: known, isNew: false };
    const job = { id: `job_${randomUUID()}`, acceptedAt: now.toISOString() };
    this.#jobs.set(idempotencyKey, job);
    if (this.#jobs.size > REMEMBERED_JOBS) this.#forgetOldest();
    return { job, isNew: true };
  }

  #forgetOldest(): void {
    const { value: oldest, done } = this.#jobs.keys().next();
    if (!done) this.#jobs.delete(oldest);
  }
}
