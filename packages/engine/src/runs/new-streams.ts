import type { StreamRef } from './ledger-terms.js';
import type { NewRun } from './new-run.js';

/** The streams that a new run brings: its message's, and its thread's when that is new too. */
export function newStreams({ messageId, threadId, newThreadId }: NewRun): StreamRef[] {
  const message: StreamRef = { kind: 'message', id: messageId };
  return threadId === null ? [{ kind: 'thread', id: newThreadId }, message] : [message];
}
