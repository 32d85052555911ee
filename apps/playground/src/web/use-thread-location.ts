import { useCallback, useSyncExternalStore } from 'react';
import { addressValue, setAddressValue, subscribeAddress } from './page-address.js';

const currentThread = () => addressValue('thread');

type Go = (threadId: string | null, how?: 'push' | 'replace') => void;

/** The thread that the address names, and the way to another one. */
export function useThreadLocation(): [string | null, Go] {
  const threadId = useSyncExternalStore(subscribeAddress, currentThread);
  const go = useCallback<Go>((next, how = 'push') => setAddressValue('thread', next, how), []);
  return [threadId, go];
}
