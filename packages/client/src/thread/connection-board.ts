import type { Connection } from './thread-state.js';
import type { ThreadStore } from './thread-tools.js';

export type StreamStatus = Exclude<Connection, 'idle'>;

/** Sums up the streams of a session: it is as good as the worst of them. */
export type ConnectionBoard = {
  report(stream: string, status: StreamStatus): void;
  leave(stream: string): void;
  clear(): void;
};

export function createConnectionBoard(store: ThreadStore): ConnectionBoard {
  const streams = new Map<string, StreamStatus>();

  function show(): void {
    const all = [...streams.values()];
    const worst =
      all.find((status) => status === 'reconnecting') ?? all.find((status) => status === 'connecting');
    store.dispatch({ type: 'connection.changed', connection: worst ?? all[0] ?? 'idle' });
  }

  return {
    report(stream, status) {
      streams.set(stream, status);
      show();
    },
    leave(stream) {
      streams.delete(stream);
      show();
    },
    clear() {
      streams.clear();
      show();
    },
  };
}
