import type { Page, ThreadMessage } from '@plinth/protocol';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { pauseBeforeRetry } from '../stream/stream-tools.js';
import type { ThreadState } from './thread-state.js';
import type { ThreadTools } from './thread-tools.js';

/** Asks for the newest page. With a condition it is read only if that still holds when its turn comes. */
export type RequestPage = (isWanted?: (state: ThreadState) => boolean) => void;

const newestSentId = (state: ThreadState) =>
  state.messages.findLast((message) => message.delivery === 'sent')?.id;

/**
 * Reads the newest page of messages, one reading at a time, until it succeeds or is refused for good.
 *
 * A page and a send under way must not meet: the page may hold the sent message before its id is known here,
 * and it would appear twice. So a page waits for the send, and one that was read before it is read again.
 */
export function syncPage(tools: ThreadTools, signal: AbortSignal, onRefused: () => void): RequestPage {
  const { http, store, streams } = tools;
  let wishes: ((state: ThreadState) => boolean)[] = [];
  let isRunning = false;

  async function readPage(): Promise<void> {
    const before = newestSentId(store.getState());
    const path = `/v1/threads/${encodeURIComponent(store.getState().threadId ?? '')}/messages`;
    const page = await http.get<Page<ThreadMessage>>(path, { signal });
    await store.until((state) => !state.sending);
    if (signal.aborted) return;
    if (newestSentId(store.getState()) !== before) wishes.push(() => true);
    else store.dispatch({ type: 'page.loaded', page });
  }

  async function tryToRead(attempt: number): Promise<'read' | 'again' | 'refused'> {
    try {
      await readPage();
      return 'read';
    } catch (error) {
      if (!PlinthClientError.isInstance(error)) throw error;
      if (signal.aborted) return 'refused';
      store.dispatch({ type: 'load.failed', error, final: !error.retryable });
      if (!error.retryable) return 'refused';
      await pauseBeforeRetry(streams, { attempt, signal });
      return 'again';
    }
  }

  async function work(): Promise<void> {
    let attempt = 0;
    while (wishes.length > 0 && !signal.aborted) {
      await store.until((state) => !state.sending);
      const wanted = wishes;
      wishes = [];
      if (!wanted.some((isWanted) => isWanted(store.getState()))) continue;
      const outcome = await tryToRead(attempt);
      if (outcome === 'refused') onRefused();
      if (outcome === 'again') wishes.push(...wanted);
      attempt = outcome === 'again' ? attempt + 1 : 0;
    }
    isRunning = false;
  }

  return (isWanted = () => true) => {
    wishes.push(isWanted);
    if (isRunning) return;
    isRunning = true;
    void work();
  };
}
