type Awaitable<T> = T | Promise<T>;

/**
 * Where answers are kept until the server has confirmed them. What throws or rejects is as if it kept nothing: the answer
 * is then as safe as the page.
 */
export type OutboxStorage = {
  /** Everything that is kept. */
  load(): Awaitable<readonly string[]>;
  put(key: string, text: string): Awaitable<void>;
  remove(key: string): Awaitable<void>;
};

/** Keeps answers as long as the page lives. The default. */
export function createMemoryOutbox(): OutboxStorage {
  const texts = new Map<string, string>();
  return {
    load: () => [...texts.values()],
    put: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  };
}

export type LocalStorageOutboxOptions = {
  /** Tells the answers of one person from those of another who uses the same browser: the business's own user id, say. */
  scope: string;
};

/**
 * Keeps answers in the browser's `localStorage`, over a reload and for the other tabs of the person. They are readable for
 * every script of the page's origin until they are confirmed. Where there is no `localStorage`, it keeps nothing.
 */
export function createLocalStorageOutbox({ scope }: LocalStorageOutboxOptions): OutboxStorage {
  const prefix = `plinth.outbox ${scope} `;
  const storage = () => (typeof localStorage === 'undefined' ? null : localStorage);
  return {
    load() {
      const store = storage();
      if (!store) return [];
      const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
      return keys.filter((key) => key.startsWith(prefix)).map((key) => store.getItem(key) ?? '');
    },
    put: (key, text) => storage()?.setItem(prefix + key, text),
    remove: (key) => storage()?.removeItem(prefix + key),
  };
}
