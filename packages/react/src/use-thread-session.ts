'use client';
import type { ThreadSession, ThreadState } from '@plinth/client';
import { useMemo, useSyncExternalStore } from 'react';
import { createSelection } from './create-selection.js';
import { oncePerFrame } from './once-per-frame.js';
import { usePlinth } from './plinth-provider.js';

/** Names a thread by its id or by a session that `useThread` returned (a new thread has no id yet). */
export type ThreadRef = string | ThreadSession;

/** The live session of a thread; for null a session of a new one, kept while the caller is mounted. */
export function useThreadSession(thread: ThreadRef | null): ThreadSession {
  const plinth = usePlinth();
  return useMemo(() => {
    if (thread === null) return plinth.newThread();
    return typeof thread === 'string' ? plinth.thread(thread) : thread;
  }, [plinth, thread]);
}

/** The whole state of a session, and again whenever it changes. */
export function useThreadState(session: ThreadSession): ThreadState {
  const subscribe = useMemo(() => oncePerFrame(session.subscribe), [session]);
  return useSyncExternalStore(subscribe, session.getSnapshot, session.getServerSnapshot);
}

/** A part of a thread's state, and again only when that part changes. `select` must keep its identity. */
export function useThreadSelection<T>(thread: ThreadRef, select: (state: ThreadState) => T): T {
  const session = useThreadSession(thread);
  const { subscribe, get, getServer } = useMemo(
    () => ({
      subscribe: oncePerFrame(session.subscribe),
      get: createSelection(session.getSnapshot, select),
      getServer: createSelection(session.getServerSnapshot, select),
    }),
    [session, select],
  );
  return useSyncExternalStore(subscribe, get, getServer);
}
