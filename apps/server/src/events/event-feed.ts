import type { Clock } from '@plinth/engine';
import type { EventHub } from './event-hub.js';
import type { EventReader } from './event-reader.js';
import type { FeedEnd, FeedEntry, FeedRequest } from './feed-entry.js';
import { FeedFollower } from './feed-follower.js';
import { FeedInbox, type InboxLimits } from './feed-inbox.js';
import { ReplayReader } from './replay-reader.js';

export interface FeedLimits extends InboxLimits {
  /** Milliseconds between looks at the log without being asked, in case a message never came. */
  pollMs: number;
}

export const DEFAULT_FEED_LIMITS: FeedLimits = {
  maxEntries: 1_000,
  maxCharacters: 1_048_576,
  pollMs: 15_000,
};

/** Readers of event logs: everything behind a cursor, then what comes, never skipping silently. */
export class EventFeed {
  readonly #limits: FeedLimits;

  constructor(
    private readonly reader: EventReader,
    private readonly hub: EventHub,
    private readonly clock: Clock,
    limits: Partial<FeedLimits> = {},
  ) {
    this.#limits = { ...DEFAULT_FEED_LIMITS, ...limits };
  }

  /** Follows one log. Listens first and reads then, so that nothing falls between the two. */
  async *follow(request: FeedRequest): AsyncGenerator<FeedEntry, FeedEnd> {
    const { tenant, stream, signal } = request;
    if (signal.aborted) return 'aborted';
    const inbox = new FeedInbox(this.#limits, () => request.onSlow?.());
    const done = new AbortController();
    const wake = () => inbox.wake();
    signal.addEventListener('abort', wake);
    let stopListening: (() => void) | undefined;
    try {
      stopListening = await this.hub.listen(tenant, stream, inbox);
      void this.#poll(inbox, done.signal);
      const replay = new ReplayReader(this.reader, tenant, stream, request.fold ?? false);
      return yield* new FeedFollower(replay, inbox, request).run();
    } finally {
      done.abort();
      stopListening?.();
      signal.removeEventListener('abort', wake);
    }
  }

  async #poll(inbox: FeedInbox, signal: AbortSignal): Promise<void> {
    const { pollMs } = this.#limits;
    const waited = () =>
      this.clock.wait(pollMs, signal).then(
        () => true,
        () => false,
      );
    while (await waited()) inbox.refill();
  }
}
