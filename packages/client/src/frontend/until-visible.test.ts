// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createTestTools } from '../../testing/stream-tools-for-test.js';
import { isPageVisible, onBrowserWake } from '../stream/wake.js';
import { untilVisible } from './until-visible.js';

afterEach(() => vi.restoreAllMocks());

it('a page that nobody sees does not ask; it asks when it comes into sight', async () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const tools = { ...createTestTools({ baseUrl: '' }, createManualTiming()), wake: onBrowserWake };
  const seen = vi.fn();
  const waiting = untilVisible({ ...tools, isVisible: isPageVisible }, new AbortController().signal).then(
    seen,
  );
  window.dispatchEvent(new Event('online'));
  await Promise.resolve();
  expect(seen).not.toHaveBeenCalled();
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await waiting;
  expect(seen).toHaveBeenCalledOnce();
});

it('waiting to be seen ends with its interrupt, and leaves no listener behind', async () => {
  const tools = createTestTools({ baseUrl: '' }, createManualTiming());
  const gone = new AbortController();
  const waiting = untilVisible({ ...tools, isVisible: () => false }, gone.signal);
  expect(tools.wakeListeners()).toBe(1);
  gone.abort();
  await waiting;
  expect(tools.wakeListeners()).toBe(0);
});
