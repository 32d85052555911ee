import type { Page, ThreadMessage } from '@plinth/protocol';
import { toQuery } from '../http/query.js';
import type { ThreadTools } from './thread-tools.js';

/** Makes the reading of older pages, one at a time. */
export function createOlderLoader({ http, store }: ThreadTools): () => Promise<void> {
  let underWay: Promise<void> | null = null;

  async function load(): Promise<void> {
    const { threadId, olderCursor } = store.getState();
    if (threadId === null || olderCursor === null) return;
    const path = `/v1/threads/${encodeURIComponent(threadId)}/messages${toQuery({ cursor: olderCursor })}`;
    const page = await http.get<Page<ThreadMessage>>(path);
    // A page that was read meanwhile may have begun anew: then this one does not join it any more.
    if (store.getState().olderCursor === olderCursor) store.dispatch({ type: 'older.loaded', page });
  }

  return () => {
    underWay ??= load().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
