import { type MessageId, type OnBusy, PlinthError, type TenantId, type ThreadId } from '@plinth/protocol';
import type { DoorPorts } from './door-ports.js';
import type { Viewer } from './ledger-terms.js';
import { retireSuperseded, supersedeWaiting, threadBusy } from './supersede-waiting.js';

export interface MoveHead {
  threadId: ThreadId;
  /** Null: before all messages. */
  messageId: MessageId | null;
  onBusy: OnBusy;
}

/**
 * Moves a thread's head to any message of its tree, or before all of them: the next run goes on from there, on a branch of
 * its own.
 *
 * @throws PlinthError not_found (thread, message), thread_busy
 */
export async function moveHead(
  ports: DoorPorts,
  tenant: TenantId,
  viewer: Viewer,
  { threadId, messageId, onBusy }: MoveHead,
): Promise<void> {
  const { ledger, writer, clock, observer } = ports;
  const now = clock.now();
  const input = { viewer, threadId, messageId, now };
  const giveWay = supersedeWaiting(onBusy, now);
  const outcome = await ledger.moveHead(tenant, input, giveWay.whenActive);
  switch (outcome.kind) {
    case 'thread_not_found':
      throw new PlinthError('not_found', 'There is no such thread.');
    case 'message_not_found':
      throw new PlinthError('not_found', 'The message is not in the tree of this thread.');
    case 'busy':
      throw threadBusy(outcome.activeRunId);
    case 'moved': {
      const { superseded, outbox } = outcome;
      try {
        await writer.publish(tenant, outbox);
      } catch (error) {
        // They are in the outbox: the sweeper publishes them.
        const doing = `announce the new head of ${threadId}`;
        observer.problem(tenant, { runId: superseded?.id ?? '', doing }, error);
      }
      await retireSuperseded(ports, tenant, superseded, giveWay);
    }
  }
}
