import type { TenantId } from '@plinth/protocol';
import type { AgentCatalog } from '../agent-catalog.js';
import type { EngineObserver } from '../observer.js';
import type { LockedRun } from '../runs/ledger.js';
import type { Run, ToolCall } from '../runs/run.js';
import type { JobCancelReason, ToolExecutor } from './tool-executor.js';

export interface CancelJobsPorts {
  agents: AgentCatalog;
  executor: ToolExecutor;
  observer: EngineObserver;
}

/**
 * The calls whose job may be under way: sent, and not answered. Also those that nobody has confirmed: a dispatch that
 * was cut off may have arrived.
 */
export function jobsUnderWay({ openCalls, waits }: LockedRun): ToolCall[] {
  const unanswered = new Set(
    waits.filter(({ kind, state }) => kind === 'callback' && state === 'open').map(({ callId }) => callId),
  );
  return openCalls.filter(({ id, status }) => status === 'started' && unanswered.has(id));
}

/**
 * Tells jobs that nobody waits for them any more. Called after the commit that ended their calls, by the process that
 * made it, so each is told once at most. Never throws, and nobody should wait for it: a service that is slow must not
 * hold up a cancel.
 */
export async function cancelJobs(
  { agents, executor, observer }: CancelJobsPorts,
  tenant: TenantId,
  { id: runId, agentVersionId }: Run,
  jobs: readonly ToolCall[],
  reason: JobCancelReason,
): Promise<void> {
  if (jobs.length === 0 || !executor.cancel) return;
  const report = (tool: string, error: unknown) =>
    observer.problem(tenant, { runId, doing: `cancel the job of ${tool}` }, error);
  try {
    const { tools } = await agents.version(tenant, agentVersionId);
    await Promise.all(
      jobs.map(async ({ id: callId, tool: key }) => {
        const tool = tools.find((candidate) => candidate.key === key);
        if (!tool) return;
        const cancellation = { callId, tool, idempotencyKey: callId, reason };
        await executor.cancel?.(tenant, cancellation).catch((error: unknown) => report(key, error));
      }),
    );
  } catch (error) {
    report('a run', error);
  }
}
