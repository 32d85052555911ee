import type { MessageId, RunId, TenantId, ThreadId } from '@plinth/protocol';
import type { OutboxEntry, Viewer, WhenActive } from './ledger-terms.js';
import type { Run } from './run.js';

/**
 * How the tree of a thread branches. A message never changes its parent and is never deleted, so a branch is only a
 * place where the head can stand. The tree of a thread is what was written in it; a fork's is also the message that it
 * was made from and all above that one, which stay where they were written.
 */
export interface ThreadBranches {
  /**
   * Moves the head to a message of the thread's tree, or before all of them, and announces it, unless it stands there already. The next run
   * goes on from it. Locks are those of `createRun`, and so is the meaning of `whenActive`.
   */
  moveHead(tenant: TenantId, input: HeadMove, whenActive: WhenActive): Promise<MoveHeadOutcome>;

  /**
   * Makes a thread of the same end user that begins with the path to this message. Nothing is copied. The answer of a
   * run that is active cannot be forked: it is not whole.
   */
  forkThread(tenant: TenantId, input: NewFork): Promise<ForkOutcome>;
}

export interface HeadMove {
  viewer: Viewer;
  threadId: ThreadId;
  /** Null: before all messages. The next run's user message has no parent then, and is a root beside the others. */
  messageId: MessageId | null;
  now: number;
}

export type MoveHeadOutcome =
  | { kind: 'moved'; superseded: Run | null; outbox: OutboxEntry[] }
  | { kind: 'busy'; activeRunId: RunId }
  | { kind: 'thread_not_found' }
  | { kind: 'message_not_found' };

export interface NewFork {
  viewer: Viewer;
  threadId: ThreadId;
  messageId: MessageId;
  newThreadId: ThreadId;
  /** Null: the title of the thread that is forked. */
  title: string | null;
  now: number;
}

export type ForkOutcome =
  | { kind: 'forked' }
  | { kind: 'busy'; activeRunId: RunId }
  | { kind: 'thread_not_found' }
  | { kind: 'message_not_found' };
