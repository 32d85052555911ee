import {
  type FrontendExecutorSpec,
  type InterruptId,
  type LeaseResponse,
  PlinthError,
  type TenantId,
  type ToolDefinition,
} from '@plinth/protocol';
import { toIso } from '../clock.js';
import type { DoorPorts } from '../runs/door-ports.js';
import type { LockedRun, Viewer } from '../runs/ledger.js';
import { type Decision, NOTHING } from '../runs/ledger-change.js';
import type { Interrupt, InterruptLease } from '../runs/run.js';
import { refusal } from './answer-interrupt.js';
import { toLeaseView } from './open-interrupt.js';

type FrontendTool = ToolDefinition & { executor: FrontendExecutorSpec };

type Outcome =
  | { kind: 'leased'; lease: InterruptLease }
  | { kind: 'held'; lease: InterruptLease; mayFollow: boolean }
  | { kind: 'late' };

/** A page renews three times in the life of its lease: one lost request does not cost it. */
const RENEWALS = 3;

/**
 * When the wait ends by itself: where another page may follow, that one has the same time to turn up as the first one had.
 * Never later than the tool allows in all.
 */
function expiryOf(
  { openedAt }: Interrupt,
  until: number,
  { executor, waitTimeoutSeconds }: FrontendTool,
): number {
  const end = executor.recovery === 'rerun' ? until + executor.claimTimeoutSeconds * 1000 : until;
  return Math.min(end, openedAt + waitTimeoutSeconds * 1000);
}

/** Pure: whether this page may run the tool, as the run stands under its lock. The holder renews its lease by this too. */
export function decideLease(
  { waits }: LockedRun,
  interruptId: InterruptId,
  clientId: string,
  tool: FrontendTool,
  now: number,
): { decision: Decision; result: Outcome } {
  const { leaseSeconds, recovery } = tool.executor;
  const wait = waits.find(({ id }) => id === interruptId);
  if (wait?.state !== 'open') return { decision: NOTHING, result: { kind: 'late' } };
  const held = wait.lease;
  const isRenewal = held?.clientId === clientId;
  const mayFollow = recovery === 'rerun';
  if (held && !isRenewal && (held.until > now || !mayFollow))
    return { decision: NOTHING, result: { kind: 'held', lease: held, mayFollow } };
  const since = isRenewal ? held.since : now;
  const lease = { clientId, since, until: now + leaseSeconds * 1000 };
  const set = { lease, expiresAt: expiryOf(wait, lease.until, tool) };
  return {
    decision: {
      changes: [{ type: 'interrupt.update', interruptId, set }],
      // Readers want to know who runs it, not that it goes on.
      events: isRenewal ? [] : [{ type: 'interrupt.leased', interruptId, lease: toLeaseView(lease) }],
      at: now,
    },
    result: { kind: 'leased', lease },
  };
}

const isFrontend = (tool: ToolDefinition | undefined): tool is FrontendTool =>
  tool?.executor.kind === 'frontend';

function heldBy({ lease, mayFollow }: Outcome & { kind: 'held' }): PlinthError {
  const message = mayFollow
    ? 'Another page runs this. Ask again when its lease has ended.'
    : 'Another page has begun this, and it is not run twice.';
  return new PlinthError('interrupt_leased', message, { until: toIso(lease.until), mayFollow });
}

/**
 * Takes the lease of a frontend tool for one page, or renews it: of several pages of a person one runs it.
 *
 * @throws PlinthError not_found; invalid_request for another kind; interrupt_leased while another page holds it (with
 *   `until`, and whether one may follow then); interrupt_already_answered, interrupt_closed
 */
export async function leaseInterrupt(
  ports: DoorPorts,
  tenant: TenantId,
  viewer: Viewer,
  interruptId: InterruptId,
  clientId: string,
): Promise<LeaseResponse> {
  const { ledger, agents, writer, clock, observer } = ports;
  const found = await ledger.findInterrupt(tenant, viewer, interruptId);
  if (!found) throw new PlinthError('not_found', 'There is no such interrupt.');
  const { interrupt, run, call } = found;
  if (interrupt.kind !== 'frontend')
    throw new PlinthError(
      'invalid_request',
      `Only a frontend interrupt is leased; this is a ${interrupt.kind}.`,
    );
  const agent = await agents.version(tenant, run.agentVersionId);
  const tool = agent.tools.find(({ key }) => key === call.tool);
  if (!isFrontend(tool))
    throw new Error(`run ${run.id} waits for a tool that its agent version does not have`);
  const outcome = await ledger.transact(tenant, run.id, (locked) =>
    decideLease(locked, interruptId, clientId, tool, clock.now()),
  );
  const result = outcome?.result ?? { kind: 'late' };
  if (result.kind === 'held') throw heldBy(result);
  if (result.kind === 'late') {
    // Under the lock it was final, so this reading is final too.
    const final = await ledger.findInterrupt(tenant, viewer, interruptId);
    throw refusal(final?.interrupt ?? interrupt);
  }
  await writer.publish(tenant, outcome?.outbox ?? []).catch((error: unknown) => {
    observer.problem(tenant, { runId: run.id, doing: 'announce a lease' }, error);
  });
  const renewAfterMs = Math.floor((tool.executor.leaseSeconds * 1000) / RENEWALS);
  return { interruptId, runId: run.id, clientId, until: toIso(result.lease.until), renewAfterMs };
}
