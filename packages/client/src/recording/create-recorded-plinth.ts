import type { EventType, StreamEntry } from '@plinth/protocol';
import { createPlinth } from '../create-plinth.js';
import type { OutboxStorage } from '../outbox/outbox-storage.js';
import type { Plinth, PlinthOptions } from '../plinth.js';
import { type AnyRecording, checkRecording } from './recorded-thread.js';
import {
  type CapturedAnswer,
  type CapturedSend,
  createReplayServer,
  type ReplayOptions,
} from './replay-server.js';

/** Up to which entry to play, that one included: the next of a type, or the next that a function is true for. */
export type PlayUntil = EventType | ((entry: StreamEntry) => boolean);

/** A recorded thread behind real clients: the same requests, streams and reducer as in production, without a server. */
export type RecordedPlinth = {
  threadId: string;
  /** The first page's client. */
  plinth: Plinth;
  /**
   * Another page of the same person: what a reload or a second tab sees of what was played so far. `storage` is that of the
   * page before, for answers which it could not send.
   */
  openPage(options?: Pick<PlinthOptions, 'frontendTools' | 'storage'>): Plinth;
  /**
   * Plays the recording on, to its end or up to an entry. Resolves with the last entry when every page that follows the thread
   * has taken it in. Throws when the recording has no such entry any more.
   */
  play(until?: PlayUntil): Promise<StreamEntry | null>;
  /** Breaks the connections of all pages, and every call fails, until `reconnect`. */
  disconnect(): void;
  reconnect(): void;
  /** The answers that the pages gave, the accepted ones only, in their order. A second one to an interrupt gets 409. */
  answers: readonly CapturedAnswer[];
  /** The messages that the pages sent. Each starts the next run of the recording. */
  sends: readonly CapturedSend[];
  /** Ids of the runs that were cancelled. */
  cancels: readonly string[];
};

export type RecordedPlinthOptions = ReplayOptions & {
  /** What is played before the first page opens. Default: nothing. */
  playedTo?: PlayUntil | 'end';
  frontendTools?: PlinthOptions['frontendTools'];
  storage?: OutboxStorage;
};

/** Replays a recording: one of `recordThread`, as it was or as the JSON file that it was kept in. */
export function createRecordedPlinth(
  recording: AnyRecording,
  { playedTo, artifactUrls = {}, ...page }: RecordedPlinthOptions = {},
): RecordedPlinth {
  const server = createReplayServer(checkRecording(recording), { artifactUrls });
  const openPage: RecordedPlinth['openPage'] = (options = {}) =>
    createPlinth({ baseUrl: '', request: server.request, ...options });

  function playEntries(until?: PlayUntil): StreamEntry | null {
    const isLast = typeof until === 'string' ? ({ type }: StreamEntry) => type === until : until;
    let last: StreamEntry | null = null;
    for (let entry = server.step(); entry !== null; entry = server.step()) {
      last = entry;
      if (isLast?.(entry)) return entry;
    }
    if (!isLast) return last;
    const what = typeof until === 'string' ? `"${until}"` : 'that this is true for';
    throw new Error(`The recording has no further entry ${what}.`);
  }

  if (playedTo !== undefined) playEntries(playedTo === 'end' ? undefined : playedTo);

  return {
    threadId: recording.threadId,
    plinth: openPage(page),
    openPage,
    answers: server.answers,
    sends: server.sends,
    cancels: server.cancels,
    async play(until) {
      const last = playEntries(until);
      await server.drained();
      return last;
    },
    disconnect: () => server.setConnected(false),
    reconnect() {
      server.setConnected(true);
      // The browser's own sign that the network is back: pages do not wait for their pauses to end.
      if (typeof window !== 'undefined') window.dispatchEvent(new Event('online'));
    },
  };
}
