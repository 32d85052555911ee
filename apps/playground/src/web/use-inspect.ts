import { useSyncExternalStore } from 'react';
import { addressValue, setAddressValue, subscribeAddress } from './page-address.js';

const isInspected = () => addressValue('inspect') !== null;

/** Whether the address asks for the inspector (`?inspect=1`), and the switch. */
export function useInspect(): [boolean, (open: boolean) => void] {
  const open = useSyncExternalStore(subscribeAddress, isInspected);
  return [open, (next) => setAddressValue('inspect', next ? '1' : null, 'replace')];
}
