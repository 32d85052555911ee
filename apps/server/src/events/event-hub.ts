import type { LogEntry, StreamRef } from '@plinth/engine';
import type { TenantId } from '@plinth/protocol';
import type { RedisKeys } from '../platform/redis/redis-keys.js';
import type { RedisSubscriber } from '../platform/redis/redis-subscriber.js';

export interface LogListener {
  /** An entry that was appended just now. Entries may be missing before it, and it may come twice. */
  entry(entry: LogEntry): void;
  /** Entries may have been missed: read the log. */
  refill(): void;
}

/** New entries of any number of logs for any number of readers, over the one subscriber connection of the process. */
export class EventHub {
  constructor(
    private readonly subscriber: RedisSubscriber,
    private readonly keys: RedisKeys,
  ) {}

  /** When this resolves, every entry appended from now on reaches the listener. Call the result to stop. */
  listen(tenant: TenantId, stream: StreamRef, listener: LogListener): Promise<() => void> {
    return this.subscriber.subscribe(this.keys.log(tenant, stream).channel, {
      message(text) {
        // `<seq> <payload>`, as the append script publishes it.
        const space = text.indexOf(' ');
        listener.entry({ seq: text.slice(0, space), payload: text.slice(space + 1) });
      },
      resumed: () => listener.refill(),
    });
  }
}
