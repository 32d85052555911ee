import type { LogEntry } from '@plinth/engine';
import type { LogListener } from './event-hub.js';

export interface InboxLimits {
  /** Entries that wait for one reader. */
  maxEntries: number;
  /** Characters of payload that wait for one reader. One entry is kept however long it is. */
  maxCharacters: number;
}

/**
 * What arrived live and is not yet read by one reader, within bounds. When it is full, either the consumer
 * has not taken what it was given (it is cut, for good) or the feed is busy reading the log, which has the
 * same entries: then they are forgotten here and read there.
 */
export class FeedInbox implements LogListener {
  /** Set while the consumer has an entry and has not asked for the next. */
  consumerHolds = false;
  #entries: LogEntry[] = [];
  #characters = 0;
  #wantsRefill = false;
  #cut = false;
  #wake: (() => void) | null = null;

  constructor(
    private readonly limits: InboxLimits,
    private readonly onCut: () => void,
  ) {}

  get isCut(): boolean {
    return this.#cut;
  }

  entry(entry: LogEntry): void {
    if (this.#cut) return;
    this.#entries.push(entry);
    this.#characters += entry.payload.length;
    if (this.#isFull()) this.#overflow();
    this.wake();
  }

  refill(): void {
    this.#wantsRefill = true;
    this.wake();
  }

  /** Whether the log has to be read. The request is gone with the answer. */
  takeRefill(): boolean {
    const wanted = this.#wantsRefill;
    this.#wantsRefill = false;
    return wanted;
  }

  takeEntry(): LogEntry | undefined {
    const entry = this.#entries.shift();
    this.#characters -= entry?.payload.length ?? 0;
    return entry;
  }

  /** Resolves at once when there is something to do, else when something comes or `wake` is called. */
  async wait(): Promise<void> {
    if (this.#cut || this.#wantsRefill || this.#entries.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
    this.#wake = null;
  }

  #isFull(): boolean {
    if (this.#entries.length > this.limits.maxEntries) return true;
    return this.#characters > this.limits.maxCharacters && this.#entries.length > 1;
  }

  #overflow(): void {
    this.#entries = [];
    this.#characters = 0;
    if (this.consumerHolds) {
      this.#cut = true;
      this.onCut();
    } else {
      this.#wantsRefill = true;
    }
  }
}
