import type { EventBody, RunId, TenantId } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { ConfigInForce } from '../config/tenant-config-source.js';
import type { Lease } from '../leases/lease.js';
import type { SnapshotRead } from '../snapshots/snapshots.js';
import { changeNotice, openCallVerdicts } from '../tools/definition-verdicts.js';
import type { Claim } from './ledger.js';
import { loadRun } from './load-run.js';
import type { Run, RunState } from './run.js';
import { RunSession, type SessionPorts } from './run-session.js';

/** What can be read of a run before it is claimed, at the same time. */
export interface EarlyReads {
  snapshot: Promise<SnapshotRead>;
  config: Promise<ConfigInForce>;
}

export function readEarly({ snapshots, config }: SessionPorts, tenant: TenantId, runId: RunId): EarlyReads {
  const early = { snapshot: snapshots.read(tenant, runId), config: config.current(tenant) };
  // A run that cannot be claimed needs neither; whoever opens one gets the failure.
  early.config.catch(() => {});
  return early;
}

/** Opens a run that was just claimed: its state, the agent it is pinned to, and what readers have to be told first. */
export async function openRun(
  ports: SessionPorts,
  tenant: TenantId,
  claim: Claim,
  lease: Lease,
  early: EarlyReads,
): Promise<RunSession> {
  const { ledger, observer, agents, log, writer } = ports;
  const { run, recovered } = claim;
  const resuming = run.fence > 1;
  const agent = await agents.version(tenant, run.agentVersionId);
  const readConfig = async () => {
    const current = await early.config;
    const values = current.forAgent(agent.definition.config);
    const stream = { kind: 'message', id: run.messageId } as const;
    await log.setFence(tenant, stream, run.fence, values.ttl.activeEventsSeconds);
    return { revision: current.revision, values };
  };
  const [{ state, storedSegments }, current, newest] = await Promise.all([
    loadRun({ ledger, observer }, tenant, claim, early.snapshot),
    readConfig(),
    resuming ? newestVersion(ports, tenant, run, agent) : agent,
  ]);
  const events: EventBody[] = [];
  if (recovered) events.push({ type: 'message.reset', turn: state.turns.length, why: 'worker lost' });
  // Also after a loss: the lost worker may have taken over a parked run and not have come to saying so.
  if (resuming)
    events.push({ type: 'run.resumed' }, ...definitionEvents(ports, tenant, state, agent, newest));
  const session = new RunSession(ports, tenant, agent, lease, state, events, storedSegments, current);
  // What the lost worker committed and did not publish comes before anything new.
  if (recovered) await writer.drain(tenant, session.stream);
  return session;
}

/** Only to tell of changes: a run goes on without it. */
async function newestVersion(
  { agents, observer }: SessionPorts,
  tenant: TenantId,
  { id: runId }: Run,
  pinned: AgentVersion,
): Promise<AgentVersion | null> {
  try {
    return await agents.newest(tenant, pinned.definition.key);
  } catch (error) {
    observer.problem(tenant, { runId, doing: 'compare the definitions of a run' }, error);
    return pinned;
  }
}

function definitionEvents(
  { observer }: SessionPorts,
  tenant: TenantId,
  state: RunState,
  pinned: AgentVersion,
  newest: AgentVersion | null,
): EventBody[] {
  const verdicts = openCallVerdicts(state, pinned, newest);
  for (const { verdict } of verdicts) observer.definitionCompared(tenant, verdict);
  return changeNotice(verdicts);
}
