import { PlinthError, type StartRunResponse, type TenantId } from '@plinth/protocol';
import type { DoorPorts } from './door-ports.js';
import type { CreateRunOutcome } from './new-run.js';
import { type GiveWay, retireSuperseded, threadBusy } from './supersede-waiting.js';

/**
 * Answers whoever wanted a new run, and lets the workers and the readers know of it.
 *
 * @throws PlinthError not_found (thread, message), thread_busy, idempotency_key_reused
 */
export async function answerCreated(
  ports: DoorPorts,
  tenant: TenantId,
  outcome: CreateRunOutcome,
  giveWay: GiveWay,
): Promise<StartRunResponse> {
  switch (outcome.kind) {
    case 'thread_not_found':
      throw new PlinthError('not_found', 'There is no such thread.');
    case 'message_not_found':
      throw new PlinthError('not_found', 'The message is not in the tree of this thread.');
    case 'busy':
      throw threadBusy(outcome.activeRunId);
    case 'key_reused':
      throw new PlinthError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new one.',
      );
    case 'created':
      await announce(ports, tenant, outcome, giveWay);
      break;
    case 'repeated':
      break;
  }
  const { id: runId, messageId, threadId, userMessageId } = outcome.run;
  return { runId, messageId, threadId, userMessageId };
}

/** Hints only: everything is committed, and the sweeper does what fails here. */
async function announce(
  ports: DoorPorts,
  tenant: TenantId,
  { run, superseded, outbox, begins }: Extract<CreateRunOutcome, { kind: 'created' }>,
  giveWay: GiveWay,
): Promise<void> {
  const { writer, scheduler, observer } = ports;
  try {
    // Before the wake: the worker streams at once, and its text stands behind the beginning of the run.
    await writer.publish(tenant, outbox, begins);
    await scheduler.wake(tenant, run.id);
  } catch (error) {
    observer.problem(tenant, { runId: run.id, doing: 'announce the run' }, error);
  }
  await retireSuperseded(ports, tenant, superseded, giveWay);
}
