/**
 * Follows one event log for as long as it goes on, over any number of connections.
 *
 * - A new connection begins behind `feed.cursor()`, so nothing is lost and what comes twice is known by its id.
 * - Lost, refused for a while, or silent: it is tried again, with growing pauses; a connection that held or
 *   brought something starts the count anew.
 * - The promise resolves when the feed has enough or the signal aborts; it rejects when the server refuses for good.
 */
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { readProblem } from '../errors/read-problem.js';
import { linkAbort } from '../time/linked-abort.js';
import { raceAbort } from '../time/race-abort.js';
import { FIRST_DELAY_MS } from './backoff.js';
import { type Frame, readFrames } from './read-frames.js';
import { pauseBeforeRetry, type StreamTools } from './stream-tools.js';
import { type SilenceWatch, watchSilence } from './watch-silence.js';

/** The server sends a heartbeat every 15 s: two were missed and the third is late. */
const STALL_MS = 40_000;
/** When the browser wakes, one missed heartbeat is enough to doubt a connection. */
const DOUBTFUL_MS = 20_000;
/** A connection that held this long was a good one, even if nothing happened on it. */
const GOOD_MS = 5_000;

export type Feed = {
  path: string;
  signal: AbortSignal;
  /** The last entry that is taken in; null to read from the start. */
  cursor(): string | null;
  /** `reconnect` reads again from the cursor; `finished` ends the following. */
  onFrames(frames: Frame[]): 'go-on' | 'reconnect' | 'finished';
  onStatus(status: 'connecting' | 'live' | 'reconnecting'): void;
};

/** How a connection went. A good one brought something, or held for a while. */
type Connection = { isFinished: boolean; wasGood: boolean; retryMs: number };

export async function followEvents(tools: StreamTools, feed: Feed): Promise<void> {
  let failures = 0;
  let firstDelayMs = FIRST_DELAY_MS;
  feed.onStatus('connecting');
  while (!feed.signal.aborted) {
    const { isFinished, wasGood, retryMs } = await connect(tools, feed, firstDelayMs);
    if (isFinished || feed.signal.aborted) return;
    feed.onStatus('reconnecting');
    if (wasGood) failures = 0;
    firstDelayMs = Math.max(retryMs, FIRST_DELAY_MS);
    await pauseBeforeRetry(tools, { attempt: failures, firstDelayMs, signal: feed.signal });
    failures += 1;
  }
}

/** One connection, from the request to its end. Rejects when a new one cannot help. */
async function connect(tools: StreamTools, feed: Feed, retryMs: number): Promise<Connection> {
  const { timing, wake } = tools;
  const link = linkAbort(feed.signal);
  const silence = watchSilence(timing, STALL_MS, link.signal, link.abort);
  const leaveWake = wake(() => {
    if (silence.silentMs() > DOUBTFUL_MS) link.abort();
  });
  const connection: Connection = { isFinished: false, wasGood: false, retryMs };
  let openedAt = Number.POSITIVE_INFINITY;
  try {
    const body = await open(tools, feed, link.signal);
    openedAt = timing.now();
    feed.onStatus('live');
    await readInto(connection, body, { feed, signal: link.signal, silence });
  } catch (error) {
    const isPassing = PlinthClientError.isInstance(error) && (error.retryable || link.signal.aborted);
    if (!isPassing) throw error;
  } finally {
    leaveWake();
    link.abort();
    link.release();
  }
  connection.wasGood ||= timing.now() - openedAt > GOOD_MS;
  return connection;
}

async function open(
  { transport }: StreamTools,
  feed: Feed,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const cursor = feed.cursor();
  const headers = { accept: 'text/event-stream', ...(cursor === null ? {} : { 'last-event-id': cursor }) };
  const what = `GET ${feed.path}`;
  const init: RequestInit = { headers, signal, cache: 'no-store' };
  const aborted = () => new PlinthClientError({ code: 'aborted', message: `${what} was given up.` });
  const response = await raceAbort(transport(feed.path, init), signal, aborted);
  if (!response.ok) throw await readProblem(response, what);
  if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.body;
  void response.body?.cancel();
  const message = `${what} was not answered with an event stream. Check baseUrl and the proxies on the way.`;
  throw new PlinthClientError({ code: 'invalid_response', message, status: response.status });
}

type Reading = { feed: Feed; signal: AbortSignal; silence: SilenceWatch };

function readInto(
  connection: Connection,
  body: ReadableStream<Uint8Array>,
  { feed, signal, silence }: Reading,
): Promise<void> {
  return readFrames(body, {
    signal,
    onBytes: silence.heard,
    onRetryMs: (delayMs) => {
      connection.retryMs = delayMs;
    },
    onFrames: (frames) => {
      connection.wasGood = true;
      const next = feed.onFrames(frames);
      connection.isFinished = next === 'finished';
      return next === 'go-on';
    },
  });
}
