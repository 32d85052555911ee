import type { StreamEntry } from '@plinth/protocol';
import { followEvents } from '../stream/follow-events.js';
import type { Frame } from '../stream/read-frames.js';
import type { StreamTools } from '../stream/stream-tools.js';
import { cursorAfter, isDuplicate } from './message-log.js';
import { isEnded } from './reduce-message.js';

export type FollowLogOptions = {
  signal: AbortSignal;
  /** What has come since the last call, in order, each entry once. */
  onEntries(entries: readonly StreamEntry[]): void;
};

/** Reads the log of one message from its first entry until its run has ended, or the signal aborts. */
export function followLog(
  streams: StreamTools,
  messageId: string,
  { signal, onEntries }: FollowLogOptions,
): Promise<void> {
  let cursor: string | null = null;
  return followEvents(streams, {
    path: `/v1/messages/${encodeURIComponent(messageId)}/events?fold=true`,
    signal,
    onStatus: () => undefined,
    cursor: () => cursor,
    onFrames(frames) {
      const fresh: StreamEntry[] = [];
      for (const entry of frames.map(toEntry)) {
        if (isDuplicate({ cursor }, entry)) continue;
        cursor = cursorAfter({ cursor }, entry);
        fresh.push(entry);
      }
      onEntries(fresh);
      return fresh.some(isLast) ? 'finished' : 'go-on';
    },
  });
}

const toEntry = ({ id, data }: Frame): StreamEntry => ({ ...(data as StreamEntry), seq: id });

/** Of a log that has expired there is nothing but the state of its end. */
const isLast = (entry: StreamEntry): boolean =>
  entry.type === 'run.finished' || (entry.type === 'snapshot' && isEnded(entry.message.status));
