import { type OnBusy, PlinthError, type RunId, type TenantId } from '@plinth/protocol';
import { closeRun } from './close-run.js';
import type { WhenActive } from './ledger-terms.js';
import { type RetirePorts, retireRun } from './retire-run.js';
import type { Run } from './run.js';

/** A run that only waits gives way when that is wanted; one that works never does. */
export function supersedeWaiting(onBusy: OnBusy, now: number): WhenActive {
  return (active) =>
    onBusy === 'supersede' && active.run.status === 'interrupted'
      ? closeRun(active, {
          status: 'cancelled',
          reason: 'superseded',
          error: null,
          usage: active.run.usage,
          now,
        })
      : null;
}

/** The refusal where a run of the thread is in the way. */
export function threadBusy(activeRunId: RunId): PlinthError {
  return new PlinthError(
    'thread_busy',
    'A run of this thread is active. Wait for its end or cancel it, then send again.',
    { activeRunId },
  );
}

/** What is left to do for a run that gave way, when its end is committed. */
export async function retireSuperseded(
  ports: RetirePorts,
  tenant: TenantId,
  superseded: Run | null,
): Promise<void> {
  if (!superseded) return;
  ports.observer.runEnded(tenant, 'superseded');
  await retireRun(ports, tenant, superseded);
}
