import type { StreamEntry } from '@plinth/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { runFinished, textDelta, toEntries } from '../../testing/log-builder.js';
import { createHurriedTiming, createManualTiming } from '../../testing/manual-timing.js';
import {
  entriesAfter,
  type SseHandlers,
  type SseServer,
  startSseServer,
  toFrame,
} from '../../testing/sse-server.js';
import { createTestTools } from '../../testing/stream-tools-for-test.js';
import { emptyMessageView } from '../message/empty-message-view.js';
import { foldEntries, type MessageLog } from '../message/message-log.js';
import { isEnded } from '../message/reduce-message.js';
import { type Feed, followEvents } from './follow-events.js';
import type { Frame } from './read-frames.js';

const WORDS = ['Hel', 'lo ', '茶会', ' 🍵', '!'];
const starts = WORDS.map((_, index) => WORDS.slice(0, index).join('').length);
const LOG = toEntries([...WORDS.map((word, index) => textDelta(0, starts[index] ?? 0, word)), runFinished()]);

let server: SseServer;
let stop = new AbortController();

async function serve(handlers: SseHandlers): Promise<void> {
  server = await startSseServer(handlers);
  stop = new AbortController();
}

afterEach(async () => {
  stop.abort();
  await server.close();
});

/** A feed that folds what it gets, as a session does. */
function aFeed() {
  const seen = {
    log: { view: emptyMessageView('msg_1', 'run_1'), cursor: null } as MessageLog,
    statuses: [] as string[],
  };
  const feed: Feed = {
    path: '/events',
    signal: stop.signal,
    cursor: () => seen.log.cursor,
    onStatus: (status) => seen.statuses.push(status),
    onFrames: (frames: Frame[]) => {
      seen.log = foldEntries(
        seen.log,
        frames.map(({ id, data }) => ({ ...(data as StreamEntry), seq: id })),
      ).log;
      return isEnded(seen.log.view.status) ? 'finished' : 'go-on';
    },
  };
  return {
    feed,
    seen,
    text: () => seen.log.view.parts.map((part) => ('text' in part ? part.text : '')).join(''),
  };
}

const hurried = () => createTestTools({ baseUrl: server.url }, createHurriedTiming());

describe('following an event log', () => {
  it('cut after every single event, with an overlap each time: the text is that of the uncut run', async () => {
    await serve({
      onStream(stream) {
        const place = LOG.findIndex((entry) => entry.seq === stream.lastEventId);
        const replay = LOG.slice(Math.max(place - 1, 0), place + 2);
        stream.write(replay.map(toFrame).join(''));
        stream.write('id: 9-9\nevent: text.delta\ndata: {"type":"text.del');
        setImmediate(stream.cut);
      },
    });
    const { feed, seen, text } = aFeed();
    await followEvents(hurried(), feed);
    expect(text()).toBe(WORDS.join(''));
    expect(seen.log.view.status).toBe('completed');
    expect(server.requests.map((request) => request.lastEventId)).toEqual([
      null,
      '1-1',
      '1-2',
      '1-3',
      '1-4',
      '1-5',
    ]);
  });

  it('bytes split anywhere, in the middle of a character too: the same text', async () => {
    await serve({
      async onStream(stream) {
        const bytes = new TextEncoder().encode(LOG.map(toFrame).join(''));
        for (let at = 0; at < bytes.length; at += 7) {
          stream.write(bytes.slice(at, at + 7) as unknown as string);
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    });
    const { feed, text } = aFeed();
    await followEvents(hurried(), feed);
    expect(text()).toBe(WORDS.join(''));
  });

  it('ends after the terminal event and opens nothing more', async () => {
    await serve({ onStream: (stream) => stream.write(LOG.map(toFrame).join('')) });
    const { feed, seen } = aFeed();
    await followEvents(hurried(), feed);
    await eventually(() => expect(server.open.size).toBe(0));
    expect(server.requests).toHaveLength(1);
    expect(seen.statuses).toEqual(['connecting', 'live']);
  });

  it('the signal closes the connection and leaves nothing behind', async () => {
    await serve({ onStream: (stream) => stream.write(': hb\n\n') });
    const timing = createManualTiming();
    const tools = createTestTools({ baseUrl: server.url }, timing);
    const { feed, seen } = aFeed();
    const following = followEvents(tools, feed);
    await eventually(() => expect(seen.statuses).toContain('live'));
    stop.abort();
    await following;
    await eventually(() => expect(server.open.size).toBe(0));
    expect([timing.waiting(), tools.wakeListeners()]).toEqual([0, 0]);
  });

  it('the signal closes the connection also when the request of the host does not pass it on', async () => {
    await serve({ onStream: (stream) => stream.write(': hb\n\n') });
    const request = (url: string, { headers = {} }: RequestInit) => fetch(url, { headers });
    const { feed, seen } = aFeed();
    const following = followEvents(
      createTestTools({ baseUrl: server.url, request }, createManualTiming()),
      feed,
    );
    await eventually(() => expect(seen.statuses).toContain('live'));
    stop.abort();
    await following;
    await eventually(() => expect(server.open.size).toBe(0));
  });

  it('40 s without a byte: a new connection from the last good place; heartbeats keep the old one', async () => {
    await serve({
      onStream: (stream) =>
        stream.write(
          stream.lastEventId ? LOG.slice(1).map(toFrame).join('') : LOG.slice(0, 1).map(toFrame).join(''),
        ),
    });
    const timing = createManualTiming();
    const now = vi.spyOn(timing, 'now');
    const { feed, seen, text } = aFeed();
    const following = followEvents(createTestTools({ baseUrl: server.url }, timing), feed);
    await eventually(() => expect(text()).toBe('Hel'));

    await timing.advance(39_000);
    now.mockClear();
    for (const stream of server.open) stream.write(': hb\n\n');
    await eventually(() => expect(now).toHaveBeenCalled());
    await timing.advance(39_000);
    expect(server.requests).toHaveLength(1);

    await timing.advance(2_000);
    await eventually(() => expect(seen.statuses.at(-1)).toBe('reconnecting'));
    await timing.advance(10_000);
    await following;
    expect(server.requests[1]?.lastEventId).toBe('1-1');
    expect(text()).toBe(WORDS.join(''));
  });

  it('a browser that wakes ends the pause at once, and doubts a connection that was silent', async () => {
    let isAway = true;
    await serve({
      onRequest: (_, response) => isAway && Boolean(response.writeHead(503).end()),
      onStream: (stream) =>
        stream.write(entriesAfter(LOG.slice(0, 2), stream.lastEventId).map(toFrame).join('')),
    });
    const timing = createManualTiming();
    const tools = createTestTools({ baseUrl: server.url }, timing);
    const { feed, seen, text } = aFeed();
    void followEvents(tools, feed);
    await eventually(() => expect(seen.statuses).toEqual(['connecting', 'reconnecting']));
    isAway = false;
    tools.wakeUp();
    await eventually(() => expect(text()).toBe('Hello '));

    tools.wakeUp();
    await timing.advance(21_000);
    expect(server.requests).toHaveLength(2);
    tools.wakeUp();
    await eventually(() => expect(seen.statuses.at(-1)).toBe('reconnecting'));
    tools.wakeUp();
    await eventually(() => expect(server.requests.at(-1)).toMatchObject({ lastEventId: '1-2' }));
  });

  it('401 in the middle of a stream: one refresh, the stream goes on, no duplicates', async () => {
    let valid = 'first';
    await serve({
      onRequest: (request, response) =>
        request.headers.authorization !== `Bearer ${valid}` &&
        Boolean(response.writeHead(401).end('{"code":"token_expired"}')),
      onStream(stream) {
        if (stream.lastEventId)
          return stream.write(entriesAfter(LOG, stream.lastEventId).map(toFrame).join(''));
        stream.write(LOG.slice(0, 2).map(toFrame).join(''));
        valid = 'second';
        stream.end();
      },
    });
    const auth = vi.fn(({ refresh }: { refresh: boolean }) => (refresh ? 'second' : 'first'));
    const { feed, text } = aFeed();
    await followEvents(createTestTools({ baseUrl: server.url, auth }, createHurriedTiming()), feed);
    expect(auth.mock.calls).toEqual([[{ refresh: false }], [{ refresh: true }]]);
    expect(text()).toBe(WORDS.join(''));
  });

  it('a refusal that repeats cannot heal is thrown with its code', async () => {
    const body = JSON.stringify({ code: 'not_found', detail: 'No such message.', requestId: 'req_1' });
    await serve({
      onStream: () => undefined,
      onRequest: (_, response) => Boolean(response.writeHead(404).end(body)),
    });
    await expect(followEvents(hurried(), aFeed().feed)).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
      requestId: 'req_1',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('an answer that is no event stream is tried again', async () => {
    let isProxy = true;
    await serve({
      onRequest: (_, response) =>
        isProxy && Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('log in')),
      onStream: (stream) => stream.write(LOG.map(toFrame).join('')),
    });
    const { feed, seen } = aFeed();
    const following = followEvents(hurried(), feed);
    await eventually(() => expect(server.requests.length).toBeGreaterThan(1));
    isProxy = false;
    await following;
    expect(seen.log.view.status).toBe('completed');
  });

  it('the pause the server asks for is kept, and grows while it stays away', async () => {
    let count = 0;
    await serve({
      onRequest: (_, response) => count++ > 0 && Boolean(response.writeHead(503).end()),
      onStream: (stream) => {
        stream.write('retry: 2000\n\n');
        setImmediate(stream.end);
      },
    });
    const delays: number[] = [];
    const timing = createManualTiming();
    const wait: typeof timing.wait = (delayMs, signal) => {
      if (delayMs > 10_000) return timing.wait(delayMs, signal);
      delays.push(delayMs);
      if (delays.length === 4) stop.abort();
      return Promise.resolve();
    };
    await followEvents(createTestTools({ baseUrl: server.url }, { ...timing, wait }), aFeed().feed);
    expect(delays).toEqual([1500, 3000, 6000, 7500]);
  });
});
