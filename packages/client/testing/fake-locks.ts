import type { TabLocks } from '../src/tabs/share-across-tabs.js';

/** The Web Locks of one browser: exclusive, first come first served, as the specification has it. */
export function createFakeLocks(): TabLocks {
  const queues = new Map<string, Promise<void>>();
  return {
    async request(name, { signal }, held) {
      const before = queues.get(name) ?? Promise.resolve();
      const aborted = new Promise<'aborted'>((resolve) => {
        if (signal.aborted) resolve('aborted');
        signal.addEventListener('abort', () => resolve('aborted'));
      });
      // A request that was granted is not taken back by its signal.
      const mine = Promise.race([before.then(() => 'granted' as const), aborted]).then((how) =>
        how === 'granted' ? held() : undefined,
      );
      const settled = mine.catch(() => undefined);
      queues.set(
        name,
        Promise.all([before, settled]).then(() => undefined),
      );
      await mine;
    },
  };
}
