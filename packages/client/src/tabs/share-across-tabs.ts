import { createRequestId } from '../http/request-id.js';
import type { StreamSharing } from '../stream/stream-sharing.js';
import { type Wait, waitWithTimer } from '../time/timing.js';
import { openShared } from './shared-stream.js';
import { openTabChannel } from './tab-channel.js';

/** The part of the Web Locks API that is needed. */
export type TabLocks = {
  request(name: string, options: { signal: AbortSignal }, held: () => Promise<void>): Promise<unknown>;
};

export type ShareAcrossTabsOptions = {
  /**
   * Tells the streams of one person from those of another who uses the same browser: the business's own user id, say. Tabs
   * with the same scope must be allowed to read the same threads.
   */
  scope: string;
  /** Default: `navigator.locks`. Where there are none (Node, an insecure origin), every client has its own streams. */
  locks?: TabLocks | undefined;
  now?: () => number;
  wait?: Wait;
};

/**
 * One event stream for all tabs of a person that show the same message or thread: one of them holds the connection and tells
 * the others what it brings; when it goes away, another takes over behind the last event that it has. Browsers open six
 * connections to a host that speaks HTTP/1.1, all tabs together, and every thread that is shown while a run works takes two.
 *
 * What a tab cannot get from the others it fetches itself: a place that they do not have any more, a holder that is silent.
 */
export function shareAcrossTabs({
  scope,
  locks = globalThis.navigator?.locks,
  now = Date.now,
  wait = waitWithTimer,
}: ShareAcrossTabsOptions): StreamSharing {
  return (transport) => {
    if (!locks) return transport;
    return (path, init) => {
      const name = `plinth.stream ${scope} ${path}`;
      return openShared({
        cursor: new Headers(init.headers).get('last-event-id'),
        open: (cursor, signal) => transport(path, { ...init, headers: headersAt(init, cursor), signal }),
        channel: openTabChannel(name),
        queueForLock: (hold, signal) => {
          locks.request(name, { signal }, hold).catch(() => undefined);
        },
        tab: createRequestId(),
        signal: init.signal ?? undefined,
        timing: { now, wait },
      });
    };
  };
}

function headersAt(init: RequestInit, cursor: string | null): Headers {
  const headers = new Headers(init.headers);
  if (cursor !== null) headers.set('last-event-id', cursor);
  return headers;
}
