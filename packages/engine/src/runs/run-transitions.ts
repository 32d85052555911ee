import type { RunStatus } from '@plinth/protocol';

/**
 * The life of a run. Every change of status in every store goes through this table.
 *
 *   queued       waits for a worker
 *   running      a worker holds the lease; a worker that dies leaves it here, and the next one claims it
 *   interrupted  parked: nothing runs, nothing is held; an answer puts it back in the queue
 *   completed, failed, cancelled   ended, for ever
 */
const TRANSITIONS: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['running', 'interrupted', 'completed', 'failed', 'cancelled'],
  interrupted: ['queued', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export class IllegalTransition extends Error {
  constructor(
    readonly from: RunStatus,
    readonly to: RunStatus,
  ) {
    super(`a run cannot go from ${from} to ${to}`);
    this.name = 'IllegalTransition';
  }
}

export function canTransition(from: RunStatus, to: RunStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** @throws IllegalTransition when the table does not allow the change. */
export function assertTransition(from: RunStatus, to: RunStatus): void {
  if (!canTransition(from, to)) throw new IllegalTransition(from, to);
}

export function hasEnded(status: RunStatus): boolean {
  return TRANSITIONS[status].length === 0;
}
