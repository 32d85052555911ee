import type { CreateThreadRequest, Page, ThreadView } from '@plinth/protocol';
import { type PlinthClientError, toClientError } from '../errors/plinth-client-error.js';
import type { HttpClient } from '../http/http-client.js';
import { toQuery } from '../http/query.js';
import { createStore } from './create-store.js';
import type { ThreadListState, Threads } from './thread-list-api.js';

type ThreadListAction =
  | { type: 'page.loaded'; page: Page<ThreadView> }
  | { type: 'more.loaded'; page: Page<ThreadView> }
  | { type: 'failed'; error: PlinthClientError };

const INITIAL: ThreadListState = { phase: 'loading', threads: [], nextCursor: null, error: null };

/** The list of threads after one more reading. */
export function reduceThreadList(state: ThreadListState, action: ThreadListAction): ThreadListState {
  switch (action.type) {
    case 'page.loaded':
      return { phase: 'ready', threads: action.page.items, nextCursor: action.page.nextCursor, error: null };
    case 'more.loaded': {
      const known = new Set(state.threads.map((thread) => thread.id));
      const threads = [...state.threads, ...action.page.items.filter((thread) => !known.has(thread.id))];
      return { ...state, threads, nextCursor: action.page.nextCursor, error: null };
    }
    case 'failed':
      return { ...state, phase: state.phase === 'loading' ? 'failed' : state.phase, error: action.error };
  }
}

export type ThreadList = Threads & { refreshIfShown(): void };

export function createThreadList(http: HttpClient): ThreadList {
  const store = createStore(reduceThreadList, INITIAL);
  let subscribers = 0;
  /** Two readings may come back in the wrong order: only the last one asked for counts. */
  let asked = 0;

  const list: Threads['list'] = (query = {}) => http.get<Page<ThreadView>>(`/v1/threads${toQuery(query)}`);

  async function read(type: 'page.loaded' | 'more.loaded', cursor?: string): Promise<void> {
    const turn = ++asked;
    try {
      const page = await list(cursor === undefined ? {} : { cursor });
      if (turn === asked) store.dispatch({ type, page });
    } catch (cause) {
      const error = toClientError(cause, 'The threads could not be read. Try again.');
      if (turn === asked) store.dispatch({ type: 'failed', error });
    }
  }

  const refresh = () => read('page.loaded');
  const refreshIfShown = () => {
    if (subscribers > 0) void refresh();
  };

  return {
    list,
    refresh,
    refreshIfShown,
    getSnapshot: store.getState,
    getServerSnapshot: () => INITIAL,
    async create(input = {}) {
      const body: CreateThreadRequest = input;
      const thread = await http.post<ThreadView>('/v1/threads', body);
      refreshIfShown();
      return thread;
    },
    async loadMore() {
      const { nextCursor } = store.getState();
      if (nextCursor !== null) await read('more.loaded', nextCursor);
    },
    subscribe(listener) {
      const leave = store.subscribe(listener);
      subscribers += 1;
      if (subscribers === 1) void refresh();
      return () => {
        leave();
        subscribers -= 1;
      };
    },
  };
}
