import type { EndUserId, MessageId, ThreadId } from '@plinth/protocol';
import type { Decision } from './ledger-change.js';
import type { Interrupt, Run, ToolCall } from './run.js';

/** What the methods of the ledger have in common. */

/** A run under its row's lock, with what is still open: the facts that a decision may rest on. */
export interface LockedRun {
  run: Run;
  /** Calls that have no final status yet, in call order. */
  openCalls: ToolCall[];
  /**
   * Interrupts that are open, or whose answer is not yet consumed: `answered_at` is set and `consumed_at` is not. An
   * expired one is `closed`, and its expiry is an answer: a run that parks without seeing it would never wake.
   */
  waits: Interrupt[];
}

/**
 * Decides under its lock about the run that is active in a thread where something else is wanted: a decision closes
 * it, null refuses as busy.
 */
export type WhenActive = (active: LockedRun) => Decision | null;

/** One durable event on its way to a log. Appending the same `eventId` twice adds one entry. */
export interface OutboxEntry {
  id: bigint;
  eventId: string;
  stream: StreamRef;
  /** JSON text of a `MessageEvent` or `ThreadEvent`. */
  payload: string;
}

/** Names an event log. */
export type StreamRef = { kind: 'message'; id: MessageId } | { kind: 'thread'; id: ThreadId };

/** Who asks. An API key sees every end user of its tenant; an end user sees only what is theirs. */
export type Viewer = { endUserId: EndUserId | null };
