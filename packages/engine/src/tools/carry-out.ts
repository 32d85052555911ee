import type { Execution } from '../runs/plan-calls.js';
import type { RunSession } from '../runs/run-session.js';
import { cachedResult, keepResult } from './execution-stages/cache.js';
import type { ExecutionStage, ExecutionStores, OutcomeStage } from './execution-stages/execution-stage.js';
import { promisedOutput } from './execution-stages/promised-output.js';
import { rateLimit } from './execution-stages/rate-limit.js';
import { withRetries } from './retry.js';
import type { ToolOutcome } from './tool-executor.js';

/** What a call passes between its receipt and its side effect. A new stage is a file there and a line. */
const BEFORE: readonly ExecutionStage[] = [cachedResult, rateLimit];

/** What becomes of an outcome, in this order. What may still make a failure of it belongs before what keeps it. */
const AFTER: readonly OutcomeStage[] = [promisedOutput, keepResult];

/**
 * Carries out one call whose receipt is committed.
 *
 * @param attempt makes one attempt at the side effect
 * @throws the reason of the lease's signal when the work has to stop
 */
export async function carryOut(
  session: RunSession,
  stores: ExecutionStores,
  execution: Execution,
  attempt: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { tenant, state, lease, ports } = session;
  const { clock, observer } = ports;
  const { limiter, cache } = stores;
  const context = { tenant, run: state.run, clock, observer, limiter, cache };
  for (const stage of BEFORE) {
    const outcome = await stage(execution, context);
    lease.signal.throwIfAborted();
    if (outcome.do === 'answer') return outcome.outcome;
  }
  let outcome = await withRetries(session, execution, attempt);
  for (const stage of AFTER) outcome = await stage(outcome, execution, context);
  return outcome;
}
