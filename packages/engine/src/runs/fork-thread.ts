import { type MessageId, PlinthError, type TenantId, type ThreadId } from '@plinth/protocol';
import type { DoorPorts } from './door-ports.js';
import type { Viewer } from './ledger-terms.js';

export interface ForkThread {
  threadId: ThreadId;
  messageId: MessageId;
  /** Null: the title of the thread that is forked. */
  title: string | null;
}

/**
 * Makes a thread of the same end user that goes on from this message. The path to the message is shared, not copied.
 *
 * @throws PlinthError not_found (thread, message), thread_busy (the message is the answer of a run that is active)
 */
export async function forkThread(
  { ledger, ids, clock }: Pick<DoorPorts, 'ledger' | 'ids' | 'clock'>,
  tenant: TenantId,
  viewer: Viewer,
  request: ForkThread,
): Promise<ThreadId> {
  const newThreadId = ids.next('thread') as ThreadId;
  const outcome = await ledger.forkThread(tenant, { viewer, ...request, newThreadId, now: clock.now() });
  switch (outcome.kind) {
    case 'thread_not_found':
      throw new PlinthError('not_found', 'There is no such thread.');
    case 'message_not_found':
      throw new PlinthError('not_found', 'The message is not in the tree of this thread.');
    case 'busy':
      throw new PlinthError(
        'thread_busy',
        'The run of this message is active. Wait for its end or cancel it, or fork the message before.',
        { activeRunId: outcome.activeRunId },
      );
    case 'forked':
      return newThreadId;
  }
}
