import type { StreamEntry } from '@plinth/protocol';
import { foldEntries, type MessageLog, textOf } from '../message/message-log.js';
import { isEnded } from '../message/reduce-message.js';
import { followEvents } from '../stream/follow-events.js';
import type { Frame } from '../stream/read-frames.js';
import type { StreamStatus } from './connection-board.js';
import type { ThreadState } from './thread-state.js';
import type { ThreadTools } from './thread-tools.js';

export type MessageFeed = { messageId: string; signal: AbortSignal; onStatus(status: StreamStatus): void };

/** Takes the log of one message into the state until its run has ended. */
export function followMessage(
  { streams, store }: ThreadTools,
  { messageId, signal, onStatus }: MessageFeed,
): Promise<void> {
  const openHoles = new Set<string>();
  return followEvents(streams, {
    path: `/v1/messages/${encodeURIComponent(messageId)}/events?fold=true`,
    signal,
    onStatus,
    cursor: () => store.getState().cursors[messageId] ?? null,
    onFrames(frames) {
      const before = logOf(store.getState(), messageId);
      if (!before) return 'finished';
      const { log, hole } = foldEntries(before, frames.map(toEntry), openHoles);
      store.dispatch({ type: 'message.advanced', log });
      if (isEnded(log.view.status)) return 'finished';
      if (!hole) return 'go-on';
      openHoles.add(textOf(hole) ?? '');
      return 'reconnect';
    },
  });
}

function logOf(state: ThreadState, messageId: string): MessageLog | null {
  const message = state.messages.findLast((candidate) => candidate.id === messageId);
  return message?.role === 'assistant'
    ? { view: message.view, cursor: state.cursors[messageId] ?? null }
    : null;
}

/** The server's schema is trusted here; the reducer ignores what it does not know. */
const toEntry = ({ id, data }: Frame): StreamEntry => ({ ...(data as StreamEntry), seq: id });
