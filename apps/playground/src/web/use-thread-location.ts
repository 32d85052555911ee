import { useCallback, useSyncExternalStore } from 'react';

/**
 * The thread of the page is in its address, so a reload, a bookmark and a second tab come back to it. The
 * address is the only place where it is kept.
 */
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

function currentThread(): string | null {
  const id = new URLSearchParams(window.location.search).get('thread');
  return id === null || id === '' ? null : id;
}

type Go = (threadId: string | null, how?: 'push' | 'replace') => void;

/** The thread that the address names, and the way to another one. */
export function useThreadLocation(): [string | null, Go] {
  const threadId = useSyncExternalStore(subscribe, currentThread);
  const go = useCallback<Go>((next, how = 'push') => {
    if (next === currentThread()) return;
    const url = new URL(window.location.href);
    if (next === null) url.searchParams.delete('thread');
    else url.searchParams.set('thread', next);
    if (how === 'push') window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
    for (const listener of [...listeners]) listener();
  }, []);
  return [threadId, go];
}
