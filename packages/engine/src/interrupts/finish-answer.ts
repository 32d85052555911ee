import type { TenantId } from '@plinth/protocol';
import type { AgentCatalog } from '../agent-catalog.js';
import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { FoundInterrupt } from '../runs/ledger.js';
import type { StoredAnswer } from '../runs/run.js';
import { finishResult } from '../tools/finish-result.js';

/**
 * Brings the result that an answer carries into the form in which it is written and read, while bytes can still be
 * stored: the transaction that takes it in does no I/O. Nothing is done to what comes too late anyway.
 *
 * @throws Error when the full result could not be stored; nothing is written then, and the sender tries again
 */
export async function finishAnswer<A extends StoredAnswer>(
  { agents, artifacts }: { agents: AgentCatalog; artifacts: ArtifactStore },
  tenant: TenantId,
  { interrupt, run, call }: FoundInterrupt,
  answer: A,
): Promise<A | Extract<StoredAnswer, { type: 'callback' }>> {
  if (answer.type !== 'callback' || !answer.outcome.ok || interrupt.state !== 'open') return answer;
  const { tools } = await agents.version(tenant, run.agentVersionId);
  const tool = tools.find(({ key }) => key === call.tool);
  if (!tool) throw new Error(`run ${run.id} waits for a tool that its agent version does not have`);
  const finished = await finishResult(artifacts, tenant, tool, answer.outcome.result);
  const outcome = finished.ok ? { ...finished, files: answer.outcome.files } : finished;
  return { type: 'callback', outcome };
}
