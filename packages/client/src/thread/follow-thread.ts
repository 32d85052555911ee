import type { GapEvent, ThreadEvent, ThreadView } from '@plinth/protocol';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { followEvents } from '../stream/follow-events.js';
import { linkAbort } from '../time/linked-abort.js';
import { createConnectionBoard } from './connection-board.js';
import { followUnfinished } from './follow-unfinished.js';
import { type RequestPage, syncPage } from './sync-page.js';
import type { ThreadState } from './thread-state.js';
import type { ThreadTools } from './thread-tools.js';

const THREAD = 'thread';

/** Follows a thread: its messages, the runs that start in it, and what they do. Returns how to stop. */
export function followThread(tools: ThreadTools, threadId: string): () => void {
  const { store, streams, http } = tools;
  const link = linkAbort();
  const board = createConnectionBoard(store);
  const stop = () => {
    link.abort();
    board.clear();
  };
  const requestPage = syncPage(tools, link.signal, stop);
  const path = `/v1/threads/${encodeURIComponent(threadId)}`;
  let cursor: string | null = null;

  /** A run that started between the reading of the page and the opening of the stream is in neither. */
  async function catchUp(): Promise<void> {
    const { headMessageId } = await http.get<ThreadView>(path, { signal: link.signal });
    if (headMessageId !== null) requestPage((state) => !knows(state, headMessageId));
  }

  async function follow(): Promise<void> {
    try {
      await followEvents(streams, {
        path: `${path}/events`,
        signal: link.signal,
        cursor: () => cursor,
        onStatus(status) {
          board.report(THREAD, status);
          // When the short question fails, the page itself is asked for, and that again until it is answered.
          if (status === 'live') catchUp().catch(() => requestPage());
        },
        onFrames(frames) {
          for (const { id, data } of frames) {
            cursor = id === '' ? cursor : id;
            learn(data as ThreadEvent | GapEvent, requestPage);
          }
          return 'go-on';
        },
      });
    } catch (error) {
      if (!PlinthClientError.isInstance(error)) throw error;
      store.dispatch({ type: 'stream.refused', error });
      board.leave(THREAD);
    }
  }

  requestPage();
  followUnfinished(tools, board, link.signal);
  void follow();
  return stop;
}

/**
 * A run that somebody else started: its messages are read. An own run is known before that page gets its turn.
 * After a gap any number of runs may have started unseen.
 */
function learn(event: ThreadEvent | GapEvent, requestPage: RequestPage): void {
  if (event.type === 'gap') requestPage();
  if (event.type !== 'thread.run_created') return;
  const { messageId, at } = event;
  requestPage((state) => !knows(state, messageId) && !isBeforeFirst(state, at));
}

function knows(state: ThreadState, messageId: string): boolean {
  return state.messages.some((message) => message.id === messageId);
}

/** Whether a moment lies before the messages that are here, in a part of the thread that was not read. */
function isBeforeFirst(state: ThreadState, at: string): boolean {
  const first = state.messages[0];
  return state.olderCursor !== null && first !== undefined && Date.parse(at) < Date.parse(first.createdAt);
}
