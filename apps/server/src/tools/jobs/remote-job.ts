import type { StoredAnswer, ToolOutcome } from '@plinth/engine';
import type { CallbackProgress, InterruptId, TenantId, ToolDefinition } from '@plinth/protocol';

/** A job at another service that some worker looks after. Times are milliseconds since the Unix epoch. */
export interface RemoteJob {
  tenant: TenantId;
  callId: string;
  runId: string;
  interruptId: InterruptId;
  kind: 'comfyui' | 'poll';
  /** Base URL of the host, or the URL that is polled. */
  host: string;
  /** As the host names it. */
  jobId: string;
  /** `sending`: it may or may not have arrived. `waiting`: the host has it. */
  state: 'sending' | 'waiting';
  createdAt: number;
  /** When its host last said anything. */
  seenAt: number;
  looks: number;
}

/** How a job ended, as its interrupt is answered. */
export type JobOutcome = Extract<StoredAnswer, { type: 'callback' }>['outcome'];

export type JobNews =
  | { kind: 'ended'; outcome: JobOutcome }
  /** Nothing yet; somebody should look again then. */
  | { kind: 'later'; delayMs: number }
  /** Nobody waits for it any more, and the service knows. */
  | { kind: 'dropped' };

/** What a follower gets to follow one job with. */
export interface JobWatch {
  tool: ToolDefinition;
  /** Whose the run is: what the job produced may be stored for nobody else. */
  signal: AbortSignal;
  /** The host has said something. Kept with the job, so that the next process knows it too. */
  seen(): void;
  /** Milliseconds since the host last said anything, to whichever process. */
  silentMs(): number;
  /** The host has the job, under this name. */
  confirm(jobId: string): Promise<void>;
  /** Shows progress; it may be lost. */
  progress(progress: CallbackProgress): void;
  /** Whether anybody still waits for the result. */
  isWanted(): Promise<boolean>;
}

/** Knows one kind of service: how to learn of a job's end, and how to stop it. */
export interface JobFollower {
  /**
   * Follows a job for as long as is useful in one go. May be called again at any time, by any process, with the same job.
   *
   * @throws the signal's reason when it has to stop; any other error is reported and the job looked at again
   */
  follow(job: RemoteJob, watch: JobWatch): Promise<JobNews>;
}

export const failedJob = (code: string, message: string): Extract<JobOutcome, { ok: false }> => ({
  ok: false,
  error: { code, message },
});

export const failedCall = (code: string, message: string): ToolOutcome => ({
  kind: 'failed',
  error: { code, message },
});
