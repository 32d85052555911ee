import type { ArtifactStore, Clock } from '@plinth/engine';
import type { ComfyUiExecutorSpec } from '@plinth/protocol';
import {
  failedJob,
  type JobFollower,
  type JobNews,
  type JobWatch,
  type RemoteJob,
} from '../jobs/remote-job.js';
import { collectOutputs } from './collect-outputs.js';
import { type ComfyUiHost, type Found, HostProblem } from './comfyui-host.js';
import type { HostPool } from './host-pool.js';
import { promptNames, seedOf } from './job-names.js';
import { PromptProgress } from './prompt-progress.js';
import type { HostMessage, PromptSocket } from './prompt-socket.js';

/** Milliseconds between two looks while the WebSocket stands, and without it: at first, and at most. */
const LISTENING_MS = 15_000;
const POLLING_MS = 1_000;
const MAX_POLLING_MS = 10_000;
/** Milliseconds after which a workflow that was perhaps sent is taken for not arrived, or forgotten. */
const ARRIVAL_MS = 15_000;
/** Looks in a row that must miss a job which the host had, before it is lost. */
const MISSES = 3;
/** Messages after which it is worth a look: the host writes its history just before, or just after. */
const ENDINGS = new Set(['execution_success', 'execution_error', 'execution_interrupted']);

const LOST = failedJob(
  'job_lost',
  'The host does not know the job any more; it was restarted, or its history was cleared. Whether the workflow ran is not known.',
);
const UNKNOWN = failedJob(
  'outcome_unknown',
  'The host may or may not have got the workflow, and does not know it now. Whether it ran is not known.',
);
const hostLost = (seconds: number) =>
  failedJob(
    'host_lost',
    `The host has the job and has not answered for ${seconds} seconds. Whether the workflow ran is not known.`,
  );

/** Follows one prompt at its host: progress over the WebSocket, the end by asking. Without a WebSocket it only asks. */
export class PromptFollower implements JobFollower {
  constructor(
    private readonly hosts: HostPool,
    private readonly store: ArtifactStore,
    private readonly clock: Clock,
  ) {}

  async follow(job: RemoteJob, watch: JobWatch): Promise<JobNews> {
    const following = new Following(
      job,
      watch,
      await this.hosts.at(job.tenant, job.host),
      this.store,
      this.clock,
    );
    try {
      return await following.run();
    } finally {
      following.close();
    }
  }
}

class Following {
  readonly #spec: ComfyUiExecutorSpec;
  readonly #clientId: string;
  #promptId: string;
  #isConfirmed: boolean;
  #socket: PromptSocket | null = null;
  #progress: PromptProgress;
  #misses = 0;
  /** Looks since the WebSocket was there. */
  #looksWithout = 0;
  #position = -1;

  constructor(
    private readonly job: RemoteJob,
    private readonly watch: JobWatch,
    private readonly host: ComfyUiHost,
    private readonly store: ArtifactStore,
    private readonly clock: Clock,
  ) {
    const { executor } = watch.tool;
    if (executor.kind !== 'comfyui') throw new Error(`tool ${watch.tool.key} is not a ComfyUI workflow`);
    this.#spec = executor;
    this.#clientId = promptNames(job.tenant, job.callId).clientId;
    this.#promptId = job.jobId;
    this.#isConfirmed = job.state === 'waiting';
    this.#progress = new PromptProgress(executor.workflow, job.jobId);
  }

  async run(): Promise<JobNews> {
    for (;;) {
      this.watch.signal.throwIfAborted();
      this.#listen();
      // Asked for before the look: what is heard in between must not be missed.
      const changed = this.#socket?.changed();
      if (!(await this.watch.isWanted())) return this.#drop();
      const news = await this.#look();
      if (news) return news;
      await this.#pause(changed);
    }
  }

  close(): void {
    this.#socket?.close();
  }

  /** Until the next look: its time, or something worth one. A host that drops connections is not asked all the time. */
  async #pause(changed: Promise<void> | undefined): Promise<void> {
    const woken = new AbortController();
    const until = (delayMs: number, signal: AbortSignal) => this.clock.wait(delayMs, signal).catch(() => {});
    void changed?.then(() => woken.abort());
    const lookedAt = this.clock.now();
    await until(this.#delayMs(), AbortSignal.any([woken.signal, this.watch.signal]));
    if (this.#socket?.isOpen) return;
    await until(lookedAt + POLLING_MS - this.clock.now(), this.watch.signal);
  }

  #delayMs(): number {
    if (this.#socket?.isOpen) {
      this.#looksWithout = 0;
      if (this.#misses === 0) return LISTENING_MS;
    }
    this.#looksWithout += 1;
    return Math.min(POLLING_MS * 1.5 ** (this.#looksWithout - 1), MAX_POLLING_MS);
  }

  /** A lost connection is made again at the next look; until then it is asked. */
  #listen(): void {
    if (this.#socket && !this.#socket.isClosed) return;
    const socket = this.host.listen(this.#clientId);
    socket.onMessage = (message) => this.#hear(message, socket);
    this.#socket = socket;
  }

  #hear(message: HostMessage, socket: PromptSocket): void {
    this.watch.seen();
    const progress = this.#progress.take(message);
    if (progress) this.watch.progress(progress);
    const isLast = message.type === 'executing' && message.data.node === null;
    if (ENDINGS.has(message.type) || isLast) socket.wake();
  }

  async #look(): Promise<JobNews | null> {
    try {
      const found = await this.host.find(this.#promptId, this.#clientId, this.watch.signal);
      this.watch.seen();
      return await this.#take(found);
    } catch (error) {
      if (!(error instanceof HostProblem)) throw error;
      const { hostTimeoutSeconds } = this.#spec;
      if (this.watch.silentMs() < hostTimeoutSeconds * 1000) return null;
      return { kind: 'ended', outcome: hostLost(hostTimeoutSeconds) };
    }
  }

  async #take(found: Found): Promise<JobNews | null> {
    if (found.kind === 'missing') return this.#miss();
    this.#misses = 0;
    if (!this.#isConfirmed || found.promptId !== this.#promptId) {
      await this.watch.confirm(found.promptId);
      this.#isConfirmed = true;
      this.#promptId = found.promptId;
      this.#progress = new PromptProgress(this.#spec.workflow, found.promptId);
    }
    if (found.kind === 'pending' && found.position !== this.#position) {
      this.#position = found.position;
      this.watch.progress({ progress: 0, message: `Waiting at place ${found.position + 1} of the queue` });
    }
    if (found.kind !== 'ended') return null;
    const outcome = await collectOutputs(this.#spec, found.entry, {
      tenant: this.job.tenant,
      host: this.host,
      store: this.store,
      seed: this.#spec.seed ? this.#seedIn(found.entry) : null,
      signal: this.watch.signal,
    });
    return { kind: 'ended', outcome };
  }

  /** The one that was sent: what the history repeats, since an argument may have set it. */
  #seedIn({ prompt: [, , sent] }: Extract<Found, { kind: 'ended' }>['entry']): number {
    const [target] = this.#spec.seed?.targets ?? [];
    const nodes = sent as Record<string, { inputs?: Record<string, unknown> }> | null;
    const value = target && nodes?.[target.node]?.inputs?.[target.input];
    return typeof value === 'number' ? value : seedOf(this.job.tenant, this.job.callId);
  }

  #miss(): JobNews | null {
    this.#misses += 1;
    if (this.#isConfirmed) return this.#misses < MISSES ? null : { kind: 'ended', outcome: LOST };
    const sinceSent = this.clock.now() - this.job.createdAt;
    return sinceSent < ARRIVAL_MS || this.#misses < MISSES ? null : { kind: 'ended', outcome: UNKNOWN };
  }

  /** Nobody waits any more: whoever ended the wait has told the host, or died before. */
  async #drop(): Promise<JobNews> {
    await this.host.stop(this.#promptId, this.#clientId, this.watch.signal).catch((error: unknown) => {
      if (!(error instanceof HostProblem)) throw error;
    });
    const mayArrive = !this.#isConfirmed && this.clock.now() - this.job.createdAt < ARRIVAL_MS;
    return mayArrive ? { kind: 'later', delayMs: POLLING_MS } : { kind: 'dropped' };
  }
}
