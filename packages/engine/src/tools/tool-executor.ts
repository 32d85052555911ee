import type {
  InterruptId,
  JsonObject,
  JsonValue,
  RunError,
  TenantId,
  ToolDefinition,
  ToolExecutorSpec,
} from '@plinth/protocol';
import type { ImageRef } from '../images/image-ref.js';
import type { StoredFile } from '../runs/run.js';
import { asksUser } from './ask-user.js';

/** How far a running tool has come. */
export interface ProgressReport {
  /** Its share of the whole, 0 to 1; null when the whole is not known. */
  progress: number | null;
  /** What it is doing, for a person. */
  message: string | null;
}

export interface ToolInvocation {
  callId: string;
  runId: string;
  tool: ToolDefinition;
  arguments: JsonObject;
  /** The same for every attempt at this call, so that the other side can recognise a repeat. */
  idempotencyKey: string;
  /** For jobs elsewhere: the interrupt that waits for the answer, and where a service gives it, once. */
  callback: { interruptId: InterruptId; url: string; progressUrl: string } | null;
  /** What the run's next turn offers, unless a call that is under way adds to it. */
  offered: readonly ToolDefinition[];
  /** Shows how far it has come, as often as the tool likes. It may be lost, and never fails. */
  progress(report: ProgressReport): void;
}

export type ToolOutcome =
  /**
   * `enables`: tools that the model is offered from the run's next turn on, beside those that it has. `shows`: pictures
   * that are there already and that the model is to see.
   */
  | {
      kind: 'succeeded';
      value: JsonValue;
      files: StoredFile[];
      fromCache?: boolean;
      enables?: ToolDefinition[];
      shows?: ImageRef[];
    }
  /** The job is under way elsewhere; its callback brings the result. */
  | { kind: 'accepted' }
  /** It did not take effect. */
  | {
      kind: 'failed';
      error: RunError;
      /** Seconds for which trying again is known to be in vain: the platform does not then. */
      retryAfterSeconds?: number;
    }
  /**
   * It was begun, and nobody knows whether it took effect: no answer in time, a connection lost on the way, a 5xx. The
   * call then goes the way of one whose worker died, by its tool's `onUnknown`; of an idempotent tool it has failed.
   */
  | { kind: 'unknown'; error: RunError };

/** The reason of the signal of an attempt whose time is over. Any other reason is about the run, not about the tool. */
export class ToolTimedOut extends Error {
  override readonly name = 'ToolTimedOut';
}

/** Why nobody waits for a job any more: its run was cancelled or superseded, or time has passed. */
export type JobCancelReason = 'cancelled' | 'superseded' | 'expired' | 'run_ended';

export interface JobCancellation {
  callId: string;
  tool: ToolDefinition;
  /** That of the invocation. */
  idempotencyKey: string;
  reason: JobCancelReason;
}

/**
 * Runs tools of one executor kind. Errors are outcomes; only an abort or a bug is thrown, and counts as an outcome that
 * nobody knows.
 */
export interface ToolExecutor {
  execute(tenant: TenantId, invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome>;
  /**
   * Whether it can carry out a tool of this kind. A run keeps the definitions that it began with, and may be older than
   * the server. Without this method it can.
   */
  supports?(spec: ToolExecutorSpec): boolean;
  /**
   * Tells a job that its result is not wanted any more, where its tool says how. Once, within a bounded time.
   *
   * @throws Error when the job could not be told; the caller reports it, and nothing depends on it
   */
  cancel?(tenant: TenantId, cancellation: JobCancellation): Promise<void>;
}

/** Components and frontend tools are the page's: the server only opens the wait. */
export function canRun(executor: ToolExecutor, { executor: spec }: ToolDefinition): boolean {
  return (
    spec.kind === 'component' ||
    spec.kind === 'frontend' ||
    asksUser(spec) ||
    (executor.supports?.(spec) ?? true)
  );
}
