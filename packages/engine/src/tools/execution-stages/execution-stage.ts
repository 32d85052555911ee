import type { TenantId } from '@plinth/protocol';
import type { Clock } from '../../clock.js';
import type { EngineObserver } from '../../observer.js';
import type { Execution } from '../../runs/plan-calls.js';
import type { Run } from '../../runs/run.js';
import type { ToolOutcome } from '../tool-executor.js';
import type { RateLimiter } from './rate-limiter.js';
import type { ToolCache } from './tool-cache.js';

/** Stores that decide about an execution. None is the truth of anything: a run goes on without them. */
export interface ExecutionStores {
  limiter: RateLimiter;
  cache: ToolCache;
}

export interface ExecutionStageContext extends ExecutionStores {
  tenant: TenantId;
  run: Run;
  clock: Clock;
  observer: EngineObserver;
}

/** Go on, or end the call with this outcome without carrying it out. */
export type ExecutionStageOutcome = { do: 'continue' } | { do: 'answer'; outcome: ToolOutcome };

/**
 * One stage between the receipt and the side effect. Unlike the stages before it may ask a store; it comes after the
 * receipt, so that a worker's death leaves no more doubt than one in the middle of the tool does.
 */
export type ExecutionStage = (
  execution: Execution,
  context: ExecutionStageContext,
) => Promise<ExecutionStageOutcome>;

export const GO_ON: ExecutionStageOutcome = { do: 'continue' };

/** One stage after the side effect: what is made of its outcome before it becomes the result. */
export type OutcomeStage = (
  outcome: ToolOutcome,
  execution: Execution,
  context: ExecutionStageContext,
) => Promise<ToolOutcome>;
