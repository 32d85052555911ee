import { answerFromOutside, type DoorPorts } from '@plinth/engine';
import { PlinthError } from '@plinth/protocol';
import type { JobOutcome, RemoteJob } from './remote-job.js';

/** What is no longer wanted: a callback, a cancel or the passing of time came first. */
const CAME_TOO_LATE = new Set(['interrupt_already_answered', 'interrupt_closed', 'not_found']);

/** Answers the interrupt of a job through the one door. The first answer wins; coming second is no failure. */
export async function answerJob(door: DoorPorts, job: RemoteJob, outcome: JobOutcome): Promise<void> {
  try {
    await answerFromOutside(door, job.tenant, job.interruptId, {
      requestId: `job:${job.callId}`,
      answer: { type: 'callback', outcome },
      by: { kind: 'remote', id: job.kind },
    });
  } catch (error) {
    if (!PlinthError.isInstance(error) || !CAME_TOO_LATE.has(error.code)) throw error;
  }
}
