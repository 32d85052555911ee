import type { Page, ThreadView } from '@plinth/protocol';
import type { PlinthClientError } from '../errors/plinth-client-error.js';

export type ThreadListState = {
  readonly phase: 'loading' | 'ready' | 'failed';
  /** Newest first. */
  readonly threads: readonly ThreadView[];
  readonly nextCursor: string | null;
  readonly error: PlinthClientError | null;
};

/** The end user's threads: single calls, and a shared list that is read while somebody subscribes. */
export type Threads = {
  list(query?: { cursor?: string; limit?: number }): Promise<Page<ThreadView>>;
  create(input?: { title?: string }): Promise<ThreadView>;
  subscribe(listener: () => void): () => void;
  getSnapshot(): ThreadListState;
  getServerSnapshot(): ThreadListState;
  /** Reads the first page again. */
  refresh(): Promise<void>;
  /** Adds the next page. Does nothing when all are here. */
  loadMore(): Promise<void>;
};
