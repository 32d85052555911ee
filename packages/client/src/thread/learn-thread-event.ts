import type { GapEvent, ThreadEvent } from '@plinth/protocol';
import type { RequestPage } from './sync-page.js';
import type { ChatMessage, ThreadState } from './thread-state.js';

type RunCreated = Extract<ThreadEvent, { type: 'thread.run_created' }>;

/**
 * Decides for each entry of a thread's log whether the page has to be read again. The log is heard from its beginning
 * when a session opens, so what the page shows already must not cost a reading each. Whether a path goes on from the
 * place of an old move is not told by times: those of own messages are of this machine's clock.
 */
export function createThreadLearner(requestPage: RequestPage): (event: ThreadEvent | GapEvent) => void {
  /** Where the head was moved to (null: before everything): what is sent from there begins a branch. */
  const branchingPoints = new Set<string | null>();

  return (event) => {
    switch (event.type) {
      case 'gap':
        // Any number of runs may have started unseen.
        return requestPage();
      case 'thread.run_created':
        return requestPage(
          (state) =>
            isUnseen(state, event) ||
            startsBranch(state, event, branchingPoints) ||
            broughtAttachments(state, event),
        );
      case 'thread.head_moved':
        branchingPoints.add(event.messageId);
        return requestPage((state) => !endsAt(state, event.messageId) && !isBeforeFirst(state, event.at));
    }
  };
}

/** Whether the path that is shown ends with this message; null: it is empty. */
export function endsAt(state: ThreadState, messageId: string | null): boolean {
  return (sentOf(state).at(-1)?.id ?? null) === messageId;
}

const sentOf = (state: ThreadState): ChatMessage[] =>
  state.messages.filter((message) => message.delivery === 'sent');

/** A run that somebody else started. An own run is known before a page gets its turn. */
function isUnseen(state: ThreadState, { messageId, at }: RunCreated): boolean {
  return !state.messages.some((message) => message.id === messageId) && !isBeforeFirst(state, at);
}

/** An own message that was sent after the head was moved has siblings, and only a page tells which. */
function startsBranch(
  state: ThreadState,
  { userMessageId }: RunCreated,
  branchingPoints: ReadonlySet<string | null>,
): boolean {
  const question = state.messages.find((message) => message.id === userMessageId);
  return question?.siblings.length === 1 && branchingPoints.has(question.parentId);
}

/** What an own message brought is artifacts now, and only a page tells which. */
function broughtAttachments(state: ThreadState, { userMessageId }: RunCreated): boolean {
  return state.messages.some(({ id, pendingAttachments }) => id === userMessageId && pendingAttachments);
}

/** Whether a moment lies before the messages that are here, in a part of the thread that was not read. */
function isBeforeFirst(state: ThreadState, at: string): boolean {
  const first = state.messages[0];
  return state.olderCursor !== null && first !== undefined && Date.parse(at) < Date.parse(first.createdAt);
}
