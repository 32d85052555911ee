import type { Redis } from 'ioredis';

export interface ChannelListener {
  message(text: string): void;
  /** The connection was lost and is back: messages may have been missed. */
  resumed(): void;
}

interface Channel {
  listeners: Set<ChannelListener>;
  /** Settles with the reply to SUBSCRIBE. */
  confirmed: Promise<unknown>;
}

/** All subscriptions of a process over one connection. A channel is subscribed to while it has a listener. */
export class RedisSubscriber {
  readonly #channels = new Map<string, Channel>();
  #lost = false;

  constructor(
    private readonly redis: Redis,
    private readonly onError: (error: unknown) => void,
  ) {
    redis.on('message', (channel: string, text: string) => {
      for (const listener of this.#channels.get(channel)?.listeners ?? []) listener.message(text);
    });
    redis.on('close', () => {
      this.#lost = true;
    });
    redis.on('ready', () => {
      if (this.#lost) void this.#resume();
      this.#lost = false;
    });
  }

  /** Resolves when Redis has confirmed it: what is published from then on is heard. Call the result to stop. */
  async subscribe(channel: string, listener: ChannelListener): Promise<() => void> {
    const open = this.#channels.get(channel) ?? {
      listeners: new Set(),
      confirmed: this.redis.subscribe(channel),
    };
    open.listeners.add(listener);
    this.#channels.set(channel, open);
    const stop = () => this.#remove(channel, listener);
    try {
      await open.confirmed;
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  #remove(channel: string, listener: ChannelListener): void {
    const open = this.#channels.get(channel);
    if (!open?.listeners.delete(listener) || open.listeners.size > 0) return;
    this.#channels.delete(channel);
    // A later subscribe to it goes over the same connection, so Redis sees the two in this order.
    this.redis.unsubscribe(channel).catch((error: unknown) => this.#report(error));
  }

  async #resume(): Promise<void> {
    const channels = [...this.#channels.keys()];
    if (channels.length === 0) return;
    try {
      await this.redis.subscribe(...channels);
    } catch (error) {
      this.#report(error);
      // Connected and deaf would be the worst state: start over.
      if (this.redis.status === 'ready') this.redis.disconnect(true);
      return;
    }
    for (const channel of channels) {
      for (const listener of this.#channels.get(channel)?.listeners ?? []) listener.resumed();
    }
  }

  /** After the process closed the connection there is nothing left to say. */
  #report(error: unknown): void {
    if (this.redis.status !== 'end') this.onError(error);
  }
}
