import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { PageText } from './page-text.js';

/** Milliseconds for one page, the wait for a free thread included. A usual one takes a tenth of a second. */
const TIMEOUT_MS = 8_000;
const THREADS = 2;
const QUEUE = 32;
const IDLE_MS = 30_000;

/**
 * Reads pages in threads of their own. A page of a few kilobytes can be made so that its reading takes minutes; it
 * must not hold up the runs and leases of the whole process, and so its thread is ended.
 */
export class PageReader {
  readonly #pool: Piscina<{ html: string; url: string }, PageText>;

  /** @param worker the compiled `page-worker.js` */
  constructor(worker: URL = new URL('./page-worker.js', import.meta.url)) {
    this.#pool = new Piscina({
      filename: fileURLToPath(worker),
      minThreads: 0,
      maxThreads: THREADS,
      maxQueue: QUEUE,
      idleTimeout: IDLE_MS,
      // Nothing of the process's environment, which holds its secrets.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
  }

  /** Null when it takes too long, or too much memory. @throws the signal's reason when it aborts */
  async read(page: { html: string; url: string }, signal: AbortSignal): Promise<PageText | null> {
    // Not AbortSignal.timeout: on Node 20, joined with another signal, it is forgotten at the next garbage collection.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
    try {
      return await this.#pool.run(page, { signal: AbortSignal.any([signal, late.signal]) });
    } catch {
      signal.throwIfAborted();
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
