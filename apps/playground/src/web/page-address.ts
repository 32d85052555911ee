/** The address of the page: what is in it survives a reload, a bookmark and a second tab, and is kept nowhere else. */
const listeners = new Set<() => void>();

/** Calls when the address has changed, by the page or by the browser's buttons. */
export function subscribeAddress(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

/** A value of the address; null: it is not there, or empty. */
export function addressValue(name: string): string | null {
  return new URLSearchParams(window.location.search).get(name) || null;
}

/** Sets a value, or takes it out; `push` makes a step that the browser's back button takes back. */
export function setAddressValue(name: string, value: string | null, how: 'push' | 'replace'): void {
  if (value === addressValue(name)) return;
  const url = new URL(window.location.href);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  if (how === 'push') window.history.pushState(null, '', url);
  else window.history.replaceState(null, '', url);
  for (const listener of [...listeners]) listener();
}
