/** Calls back when there is reason to look at the connection now; returns how to stop. */
export type Wake = (listener: () => void) => () => void;

/**
 * The browser's own signs: the network is back, or the person is. Timers of a hidden page or a sleeping
 * laptop come late, and a connection that died meanwhile looks alive. Elsewhere (Node, edge) there are no signs.
 */
export const onBrowserWake: Wake = (listener) => {
  if (typeof window === 'undefined' || typeof document === 'undefined') return () => undefined;
  const onVisibility = () => {
    if (document.visibilityState === 'visible') listener();
  };
  window.addEventListener('online', listener);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    window.removeEventListener('online', listener);
    document.removeEventListener('visibilitychange', onVisibility);
  };
};

/** Whether the person can see the page. Where there is no page, nothing is hidden. */
export const isPageVisible = (): boolean =>
  typeof document === 'undefined' || document.visibilityState !== 'hidden';
