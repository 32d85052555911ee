import { type OnBusy, PlinthError, type RunId, type TenantId } from '@plinth/protocol';
import { jobsUnderWay } from '../tools/cancel-jobs.js';
import { afterEnd, type EndPorts } from './after-end.js';
import { closeRun } from './close-run.js';
import type { WhenActive } from './ledger-terms.js';
import type { Run, ToolCall } from './run.js';

export interface GiveWay {
  whenActive: WhenActive;
  /** The calls of the run that gave way whose job was under way. Known when the ledger has asked. */
  readonly jobs: readonly ToolCall[];
}

/** A run that only waits gives way when that is wanted; one that works never does. */
export function supersedeWaiting(onBusy: OnBusy, now: number): GiveWay {
  const ending = { status: 'cancelled', reason: 'superseded', error: null, now } as const;
  let jobs: ToolCall[] = [];
  return {
    get jobs() {
      return jobs;
    },
    whenActive(active) {
      if (onBusy === 'reject' || active.run.status !== 'interrupted') return null;
      jobs = jobsUnderWay(active);
      return closeRun(active, { ...ending, usage: active.run.usage });
    },
  };
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
  ports: EndPorts,
  tenant: TenantId,
  superseded: Run | null,
  { jobs }: GiveWay,
): Promise<void> {
  if (superseded) await afterEnd(ports, tenant, superseded, 'superseded', jobs);
}
