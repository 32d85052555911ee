import type { AgentVersionId, EndUserId, MessageId, RunId, ThreadId } from '@plinth/protocol';
import type { OutboxEntry, StreamRef } from './ledger-terms.js';
import type { Artifact, Attachment, Run } from './run.js';

/** What `Ledger.createRun` writes. */
export interface NewRun {
  runId: RunId;
  messageId: MessageId;
  userMessageId: MessageId;
  /** Null makes a new thread with `newThreadId`. */
  threadId: ThreadId | null;
  newThreadId: ThreadId;
  /** What a new thread is called in lists. */
  title: string;
  endUserId: EndUserId;
  agentVersionId: AgentVersionId;
  agent: { key: string; version: number };
  /**
   * What the person wrote. Null: nothing new. `userMessageId` then names a user message of the thread's tree, and the
   * run answers it once more, beside the answers that it has.
   */
  text: string | null;
  /** What the person sent along, in this order; nothing when there is no text. */
  attachments: Attachment[];
  /** Rows of those attachments that the thread did not have before: artifacts of it, and of no run. */
  artifacts: Artifact[];
  idempotency: { key: string; requestDigest: string } | null;
  now: number;
  deadlineAt: number;
}

/** The key of the request was used before: for the same one, or for another. */
export type RepeatedRun = { kind: 'repeated'; run: Run } | { kind: 'key_reused' };

export type CreateRunOutcome =
  /** `begins`: the streams that are new, for `EventWriter.publish`. */
  | { kind: 'created'; run: Run; superseded: Run | null; outbox: OutboxEntry[]; begins: StreamRef[] }
  | RepeatedRun
  | { kind: 'busy'; activeRunId: RunId }
  | { kind: 'thread_not_found' }
  /** There is no such user message in the tree of the thread. */
  | { kind: 'message_not_found' };
