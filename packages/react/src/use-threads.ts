'use client';
import type { ThreadListState, Threads } from '@plinth/client';
import { useMemo, useSyncExternalStore } from 'react';
import { usePlinth } from './plinth-provider.js';

export type ThreadsHandle = ThreadListState & Pick<Threads, 'create' | 'refresh' | 'loadMore'>;

/** The end user's threads, newest first. */
export function useThreads(): ThreadsHandle {
  const { threads } = usePlinth();
  const state = useSyncExternalStore(threads.subscribe, threads.getSnapshot, threads.getServerSnapshot);
  return useMemo(() => {
    const { create, refresh, loadMore } = threads;
    return { ...state, create, refresh, loadMore };
  }, [threads, state]);
}
