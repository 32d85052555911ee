import type { Clock } from '@plinth/engine';
import type { WebSocket } from 'undici';
import { z } from 'zod';

const message = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });
export type HostMessage = z.infer<typeof message>;

/**
 * What a host says over its WebSocket while a prompt runs. Only a hint that it is worth looking, and the source of
 * progress: messages are lost when the connection is, and nothing is concluded from their absence.
 */
export class PromptSocket {
  isOpen = false;
  isClosed = false;
  /** Told of every text message. */
  onMessage: (message: HostMessage) => void = () => {};
  #wake: () => void = () => {};
  #changed: Promise<void> = Promise.resolve();

  /** @param connectMs milliseconds after which a connection that is not there is given up */
  constructor(
    private readonly socket: WebSocket,
    clock: Clock,
    connectMs: number,
  ) {
    this.#arm();
    const connected = new AbortController();
    clock.wait(connectMs, connected.signal).then(
      () => this.close(),
      () => {},
    );
    socket.addEventListener('open', () => {
      this.isOpen = true;
      connected.abort();
    });
    socket.addEventListener('message', ({ data }) => this.#take(data));
    // An error is followed by a close.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', () => {
      this.isOpen = false;
      this.isClosed = true;
      connected.abort();
      this.wake();
    });
  }

  /** Resolves at the next wake: the connection is gone, or somebody has heard something worth a look. */
  changed(): Promise<void> {
    return this.#changed;
  }

  wake(): void {
    this.#wake();
    this.#arm();
  }

  close(): void {
    this.isClosed = true;
    this.socket.close();
  }

  #arm(): void {
    this.#changed = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(data: unknown): void {
    // Binary messages are previews.
    if (typeof data !== 'string') return;
    try {
      const parsed = message.safeParse(JSON.parse(data));
      if (parsed.success) this.onMessage(parsed.data);
    } catch {
      // No JSON: not for us.
    }
  }
}
