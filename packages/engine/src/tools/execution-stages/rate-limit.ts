import { within } from '../../within.js';
import { type ExecutionStage, GO_ON } from './execution-stage.js';

/** Milliseconds for the counter to answer. */
const PATIENCE_MS = 1_000;

/**
 * The tool's own limit. A call beyond it ends at once and the model is told when to come back: no worker waits. When
 * the counter is away calls are let through and the operator is told: a limit spares a service, and an outage of Redis
 * should not become one of every tool.
 */
export const rateLimit: ExecutionStage = async ({ tool }, { tenant, run, clock, observer, limiter }) => {
  if (tool.rateLimit === undefined) return GO_ON;
  const { max, perSeconds, scope = 'tenant' } = tool.rateLimit;
  const endUserId = scope === 'endUser' ? run.endUserId : null;
  try {
    const taking = limiter.take(tenant, { tool: tool.key, endUserId, max, perSeconds });
    const { retryAfterSeconds } = await within(clock, PATIENCE_MS, 'the rate limit', taking);
    if (retryAfterSeconds === null) return GO_ON;
    const whose = endUserId === null ? '' : ' for one user';
    const message = `The tool "${tool.key}" may be called ${max} times in ${perSeconds} seconds${whose}, and has been. It may be called again in ${retryAfterSeconds} seconds.`;
    return { do: 'answer', outcome: { kind: 'failed', error: { code: 'rate_limited', message } } };
  } catch (error) {
    observer.problem(
      tenant,
      { runId: run.id, doing: `count a call of ${tool.key}; it was let through` },
      error,
    );
    return GO_ON;
  }
};
