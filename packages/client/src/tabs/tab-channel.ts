import type { Block } from './event-blocks.js';

/** What the tabs tell each other of one stream. `tab` is who asks, and for whom an answer is. */
export type TabMessage =
  /** Whoever holds the stream: what came behind this place, and what comes from now on? */
  | { type: 'join'; tab: string; cursor: string | null }
  | { type: 'joined'; tab: string; blocks: Block[] }
  /** The holder does not have that place any more, or doubts its own connection. */
  | { type: 'refused'; tab: string }
  | { type: 'blocks'; blocks: Block[] }
  /** Another tab holds the stream from now on: join again. */
  | { type: 'taken' };

export type TabChannel = {
  /** To all others, in order; nothing once it is closed. */
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
  close(): void;
};

export function openTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  return {
    post(message) {
      if (isOpen) channel.postMessage(message);
    },
    listen(listener) {
      channel.onmessage = ({ data }) => {
        if (isOpen) listener(data as TabMessage);
      };
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}
