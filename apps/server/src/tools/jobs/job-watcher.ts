import type { Clock, DoorPorts, FoundInterrupt } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import { answerJob } from './answer-job.js';
import { HeldJob } from './held-job.js';
import type { JobFollower, RemoteJob } from './remote-job.js';
import type { RemoteJobs } from './remote-jobs.js';

export interface JobWatcherOptions {
  /** Names this process in the leases. */
  owner: string;
  /** Milliseconds after which the jobs of a dead process are free. */
  leaseMs: number;
  /** Milliseconds between two looks for jobs that nobody looks after. */
  tickMs: number;
}

/** Jobs that one process looks after at a time. A followed workflow holds a WebSocket. */
const MOST_JOBS = 200;
/** Milliseconds until a job is looked at again whose follower failed for a reason of its own. */
const AFTER_FAILURE_MS = 5_000;

/**
 * Looks after jobs at other services, in the worker role: takes those that nobody looks after, follows them, and
 * answers their interrupts. It holds no truth: a process that dies leaves rows whose lease runs out, and another takes
 * them over.
 */
export class JobWatcher {
  readonly #stop = new AbortController();
  readonly #held = new Set<Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly jobs: RemoteJobs,
    private readonly door: DoorPorts,
    private readonly followers: Record<RemoteJob['kind'], JobFollower>,
    private readonly clock: Clock,
    private readonly options: JobWatcherOptions,
  ) {}

  start(): void {
    this.#running = this.#run();
  }

  /** Lets all jobs go, so that other processes take them at once. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#held);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        for (const { tenant, callId } of await this.jobs.due(MOST_JOBS - this.#held.size)) {
          const job = await this.jobs.claim(tenant, callId, this.options);
          if (job) this.#hold(job);
        }
      } catch (error) {
        // The store was away; the rows are still there.
        this.door.observer.problem('' as TenantId, { runId: '', doing: 'look for jobs' }, error);
      }
      await this.clock.wait(this.options.tickMs, signal).catch(() => {});
    }
  }

  #hold(job: RemoteJob): void {
    const work = this.#lookAfter(job)
      .catch((error: unknown) => this.#report(job, error))
      .finally(() => this.#held.delete(work));
    this.#held.add(work);
  }

  async #lookAfter(job: RemoteJob): Promise<void> {
    const { tenant, callId } = job;
    const found = await this.#find(job);
    const tool = found && (await this.#toolOf(tenant, found));
    if (!found || !tool) return this.jobs.remove(tenant, callId);
    const held = new HeldJob(this.jobs, this.door, this.clock, job, tool, this.options, this.#stop.signal);
    try {
      const news = await this.followers[job.kind].follow(job, held);
      await held.shown();
      if (news.kind === 'later') return await held.release(news.delayMs);
      if (news.kind === 'ended') await answerJob(this.door, job, news.outcome);
      await this.jobs.remove(tenant, callId);
    } catch (error) {
      if (held.isLost) return;
      if (this.#stop.signal.aborted) return await held.release(0);
      this.#report(job, error);
      await held.release(AFTER_FAILURE_MS);
    } finally {
      held.stop();
    }
  }

  #find({ tenant, interruptId }: RemoteJob): Promise<FoundInterrupt | null> {
    return this.door.ledger.findInterrupt(tenant, { endUserId: null }, interruptId);
  }

  async #toolOf(tenant: TenantId, { run, call }: FoundInterrupt) {
    const { tools } = await this.door.agents.version(tenant, run.agentVersionId);
    return tools.find(({ key }) => key === call.tool);
  }

  #report({ tenant, runId, callId }: RemoteJob, error: unknown): void {
    this.door.observer.problem(tenant, { runId, doing: `look after the job of ${callId}` }, error);
  }
}
