// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DraftStore } from './draft-store.js';

const stores: DraftStore[] = [];

function openStore(): DraftStore {
  const store = new DraftStore();
  stores.push(store);
  return store;
}

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  // Each store that holds a draft listens for the page to be left.
  for (const store of stores.splice(0)) for (const id of ['art_1', 'art_2']) store.set(id, null);
  vi.useRealTimers();
});

const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

describe('changes that are not saved', () => {
  it('are there again after a reload of the tab, when the storage has room for them', () => {
    const store = openStore();
    store.set('art_1', { baseVersion: 3, text: '秋' });
    vi.runAllTimers();
    expect(openStore().get('art_1')).toEqual({ baseVersion: 3, text: '秋' });
    store.set('art_2', { baseVersion: 1, text: 'x'.repeat(1_000_001) });
    vi.runAllTimers();
    expect(openStore().get('art_2')).toBeNull();
    expect(store.get('art_2')?.text).toHaveLength(1_000_001);
  });

  it('are stored at the latest when the page is left, and the browser asks before it leaves', () => {
    const store = openStore();
    expect(mayLeave()).toBe(true);
    store.set('art_1', { baseVersion: 1, text: 'a' });
    expect(mayLeave()).toBe(false);
    const next = openStore();
    expect(next.get('art_1')?.text).toBe('a');
    store.set('art_1', null);
    next.set('art_1', null);
    expect(mayLeave()).toBe(true);
    expect(openStore().get('art_1')).toBeNull();
  });

  it('that somebody else wrote into the storage are not taken for changes', () => {
    sessionStorage.setItem('plinth.draft.art_1', '{"text":1}');
    sessionStorage.setItem('plinth.draft.art_2', 'no JSON');
    const store = openStore();
    expect([store.get('art_1'), store.get('art_2')]).toEqual([null, null]);
  });

  it('stay in memory where there is no storage', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const store = openStore();
    store.set('art_1', { baseVersion: 1, text: 'a' });
    vi.runAllTimers();
    expect(store.get('art_1')?.text).toBe('a');
    store.set('art_1', null);
    vi.restoreAllMocks();
  });
});
