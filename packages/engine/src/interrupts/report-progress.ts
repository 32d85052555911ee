import {
  type CallbackProgress,
  type EventBody,
  type InterruptId,
  PlinthError,
  type TenantId,
} from '@plinth/protocol';
import { eventPayload } from '../events/turn-stream.js';
import type { DoorPorts } from '../runs/door-ports.js';

/** A worker that takes the run over between our reading and our writing raises the fence: look again, but not for ever. */
const ATTEMPTS = 3;

/**
 * Shows how far a remote job has come. Progress is in the event log only: it may be lost, and nothing waits for it.
 *
 * @throws PlinthError not_found, interrupt_closed when nobody waits for this job any more
 */
export async function reportProgress(
  ports: DoorPorts,
  tenant: TenantId,
  interruptId: InterruptId,
  progress: CallbackProgress,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await ports.ledger.findInterrupt(tenant, { endUserId: null }, interruptId);
    if (!found) throw new PlinthError('not_found', 'There is no such callback.');
    if (found.interrupt.state !== 'open')
      throw new PlinthError('interrupt_closed', 'Nobody waits for this job any more.');
    const { run, call } = found;
    const body: EventBody = {
      type: 'tool.progress',
      callId: call.id,
      progress: progress.progress,
      message: progress.message ?? null,
    };
    const payload = eventPayload(run, body, ports.clock.now());
    const stream = { kind: 'message', id: run.messageId } as const;
    if ((await ports.writer.delta(tenant, stream, run.fence, payload)) === 'appended') return;
  }
}
