import type { Execution } from '../runs/plan-calls.js';
import type { RunSession } from '../runs/run-session.js';
import type { ToolOutcome } from './tool-executor.js';
import { failureKindOf } from './tool-failures.js';

/** Milliseconds before the second, third and fourth attempt at the same call. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];

/** A call of an MCP tool is never repeated by itself: its server may have acted on a request whose answer was lost. */
const isRepeatable = ({ idempotent, executor }: Execution['tool']): boolean =>
  idempotent && executor.kind !== 'mcp' && executor.kind !== 'mcp_directory';

/** A failure that may pass by itself. Any other would come again, or leaves open whether something has happened. */
function mayPass(outcome: ToolOutcome): outcome is ToolOutcome & { kind: 'failed' } {
  return (
    outcome.kind === 'failed' &&
    failureKindOf(outcome.error) === 'unavailable' &&
    outcome.retryAfterSeconds === undefined
  );
}

/**
 * Makes attempts until one comes to something, four at most. This is the one place where the platform repeats a side
 * effect by itself: only for tools that say that this does no harm, always with the idempotency key of the call, and
 * only when what carries them out could not be reached. Each attempt has the whole time of the tool.
 *
 * @throws the reason of the lease's signal when the work has to stop, also between two attempts
 */
export async function withRetries(
  { ports: { clock }, lease }: RunSession,
  { tool }: Execution,
  attempt: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let outcome = await attempt();
  if (!isRepeatable(tool)) return outcome;
  for (const delayMs of RETRY_DELAYS_MS) {
    if (!mayPass(outcome)) return outcome;
    await clock.wait(delayMs, lease.signal);
    outcome = await attempt();
  }
  if (!mayPass(outcome)) return outcome;
  const { code, message } = outcome.error;
  const times = RETRY_DELAYS_MS.length + 1;
  return { ...outcome, error: { code, message: `${message} It was tried ${times} times.` } };
}
