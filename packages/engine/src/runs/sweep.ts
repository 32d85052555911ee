import type { TenantId } from '@plinth/protocol';
import { expireInterrupt } from '../interrupts/expire-interrupt.js';
import type { DoorPorts } from './door-ports.js';
import { expireRun } from './expire-run.js';
import type { DueWork } from './ledger.js';

export interface SweepTimes {
  /** Milliseconds that a run may be queued before its wake is taken for lost. */
  queuedMs: number;
  /** Milliseconds that a committed event may be unpublished before the sweeper publishes it. */
  unpublishedMs: number;
}

const MOST_AT_ONCE = 200;

/**
 * Does what nobody may be doing: wakes runs whose worker died or whose wake was lost, closes waits whose time
 * has passed, ends parked runs whose time has, publishes events that their writer could not. Any number of processes
 * may sweep at once.
 */
export async function sweep(ports: DoorPorts & { due: DueWork }, times: SweepTimes): Promise<void> {
  const { due, writer, scheduler, clock, observer } = ports;
  const now = clock.now();
  /** One that fails must not keep the others waiting. */
  const attempt = async (doing: string, tenant: TenantId, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      observer.problem(tenant, { runId: '', doing }, error);
    }
  };
  // Before their waits: a run that has no time left does not hear that a wait of it has none.
  for (const { tenant, runId } of await due.overdueRuns({ now, limit: MOST_AT_ONCE })) {
    await attempt(`end the overdue ${runId}`, tenant, () => expireRun(ports, tenant, runId));
  }
  for (const { tenant, interruptId } of await due.dueInterrupts({ now, limit: MOST_AT_ONCE })) {
    await attempt(`expire ${interruptId}`, tenant, () => expireInterrupt(ports, tenant, interruptId));
  }
  // Before runs are woken: what announces a run stands before what it says.
  for (const { tenant, stream } of await due.dueStreams({
    before: now - times.unpublishedMs,
    limit: MOST_AT_ONCE,
  })) {
    await attempt(`publish ${stream.id}`, tenant, () => writer.drain(tenant, stream));
  }
  for (const { tenant, runId, fence } of await due.dueRuns({
    now,
    queuedBefore: now - times.queuedMs,
    limit: MOST_AT_ONCE,
  })) {
    await attempt(`wake ${runId}`, tenant, () => scheduler.wakeAgain(tenant, runId, fence));
  }
}
