import type { GapEvent, ThreadEvent, ThreadView } from '@plinth/protocol';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { followEvents } from '../stream/follow-events.js';
import { linkAbort } from '../time/linked-abort.js';
import { createConnectionBoard } from './connection-board.js';
import { followUnfinished } from './follow-unfinished.js';
import { createThreadLearner, endsAt } from './learn-thread-event.js';
import { syncPage } from './sync-page.js';
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
  const learn = createThreadLearner(requestPage);
  const path = `/v1/threads/${encodeURIComponent(threadId)}`;
  let cursor: string | null = null;

  /** What happened to the head between the reading of the page and the opening of the stream is in neither. */
  async function catchUp(): Promise<void> {
    const { headMessageId } = await http.get<ThreadView>(path, { signal: link.signal });
    requestPage((state) => !endsAt(state, headMessageId));
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
            const event = data as ThreadEvent | GapEvent;
            if (event.type === 'artifact.updated') {
              const { artifact, author } = event;
              store.dispatch({ type: 'artifact.updated', artifact, author });
            }
            learn(event);
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
