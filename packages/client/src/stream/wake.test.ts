// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { onBrowserWake } from './wake.js';

const show = (visibilityState: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('waking in a browser', () => {
  it('the network that is back and the page that is shown wake; the page that is hidden does not', () => {
    const listener = vi.fn();
    const leave = onBrowserWake(listener);
    window.dispatchEvent(new Event('online'));
    show('hidden');
    show('visible');
    expect(listener).toHaveBeenCalledTimes(2);
    leave();
    window.dispatchEvent(new Event('online'));
    show('visible');
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('there is nothing to listen to where there is no window', () => {
    vi.stubGlobal('window', undefined);
    expect(() => onBrowserWake(() => undefined)()).not.toThrow();
    vi.unstubAllGlobals();
  });
});
