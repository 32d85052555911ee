import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@plinth/engine';
import type { FeedEnd, FeedEntry } from './feed-entry.js';

/** Milliseconds after which a client comes back when its connection breaks. */
const RETRY_MS = 1_000;
/** Proxies cut connections that are silent for a minute or less, and clients doubt them after two such pauses. */
const HEARTBEAT_MS = 15_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** How the stream ended: as the feed did, or the client went away, or reading the log failed. */
export type SseEnd = FeedEnd | 'disconnected' | 'failed';

export interface SseOptions {
  clock: Clock;
  /** Ends the stream from outside: the token expired or was revoked, the process closes. */
  signal: AbortSignal;
  /** Headers of the reply besides those of an event stream, e.g. for CORS. */
  headers?: OutgoingHttpHeaders;
  onError(error: unknown): void;
}

/** Sends a feed of event log entries, each with its place as `id`. See `sendStream`. */
export function sendEventStream(
  response: ServerResponse,
  open: (feed: { signal: AbortSignal; onSlow: () => void }) => AsyncGenerator<FeedEntry, FeedEnd>,
  options: SseOptions,
): Promise<SseEnd> {
  return sendStream(response, open, entryFrame, options);
}

/**
 * Sends a feed as server-sent events over a raw Node response (Fastify: after `reply.hijack()`), and resolves
 * when nothing of it is held any more. A stream that ends well is closed; one that breaks is cut, so that the
 * client knows to come back.
 *
 * @param frame an item as the text of its frame, the empty line included
 */
export async function sendStream<Item>(
  response: ServerResponse,
  open: (feed: { signal: AbortSignal; onSlow: () => void }) => AsyncGenerator<Item, FeedEnd>,
  frame: (item: Item) => string,
  options: SseOptions,
): Promise<SseEnd> {
  const stop = new AbortController();
  const stopFeed = () => stop.abort();
  response.on('close', stopFeed);
  options.signal.addEventListener('abort', stopFeed);
  // Writing to a connection that has just broken is an 'error'; its 'close' says all there is to say.
  response.on('error', stopFeed);
  if (options.signal.aborted || response.destroyed) stopFeed();
  // A slow reader blocks the write below: only the end of its connection frees it.
  const feed = open({ signal: stop.signal, onSlow: () => response.destroy() });
  try {
    response.writeHead(200, { ...options.headers, ...HEADERS });
    response.write(`retry: ${RETRY_MS}\n\n`);
    void beat(response, options.clock, stop.signal);
    const end = await pump(feed, frame, response, stop.signal);
    if (end === 'slow') {
      response.destroy();
      return end;
    }
    if (response.destroyed) return 'disconnected';
    response.end();
    return end;
  } catch (error) {
    options.onError(error);
    response.destroy();
    return 'failed';
  } finally {
    stopFeed();
    await feed.return('aborted');
    response.off('close', stopFeed);
    options.signal.removeEventListener('abort', stopFeed);
  }
}

async function pump<Item>(
  feed: AsyncGenerator<Item, FeedEnd>,
  frame: (item: Item) => string,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<FeedEnd> {
  for (;;) {
    const next = await feed.next();
    if (next.done) return next.value;
    if (!response.write(frame(next.value))) await drained(response, signal);
  }
}

/** Resolves when the response takes more, or never will. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch(() => undefined);
}

/** Comments that keep the connection alive. A blocked one gets none: they would only pile up. */
async function beat(response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const waited = () =>
    clock.wait(HEARTBEAT_MS, signal).then(
      () => true,
      () => false,
    );
  while (await waited()) if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
}

/** Entries keep the default event name, so that `EventSource.onmessage` hears them; the rest is named. */
function entryFrame({ kind, seq, payload }: FeedEntry): string {
  const name = kind === 'entry' ? 'message' : kind;
  // JSON text of one line, as every writer makes it, goes out as it is. A line break ends a `data` line.
  const data = /[\r\n]/.test(payload) ? payload.split(/\r\n|\r|\n/).join('\ndata: ') : payload;
  return `id: ${seq}\nevent: ${name}\ndata: ${data}\n\n`;
}
