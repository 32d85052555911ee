import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@plinth/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEnd, FeedEntry } from './feed-entry.js';
import { type SseEnd, sendEventStream } from './sse-stream.js';

type Feed = (feed: { signal: AbortSignal; onSlow: () => void }) => AsyncGenerator<FeedEntry, FeedEnd>;

let server: Server;
let clock: ManualClock;
let stop: AbortController;
let feed: Feed;
let ended: Promise<SseEnd> | null;
let errors: unknown[];
beforeEach(async () => {
  clock = new ManualClock();
  stop = new AbortController();
  ended = null;
  errors = [];
  server = createServer((_request, response: ServerResponse) => {
    const onError = (error: unknown) => errors.push(error);
    ended = sendEventStream(response, feed, {
      clock,
      signal: stop.signal,
      headers: { 'x-extra': 'yes' },
      onError,
    });
  }).listen(0);
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const entry = (seq: string, payload: string): FeedEntry => ({ kind: 'entry', seq, payload });

async function connect(): Promise<IncomingMessage> {
  const request = get({ port: (server.address() as AddressInfo).port });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  return response;
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of response) body += chunk;
  return body;
}

/** Gives entries, then waits for the signal. */
const waiting = (...entries: FeedEntry[]): Feed =>
  async function* ({ signal }) {
    yield* entries;
    if (!signal.aborted) await once(signal, 'abort');
    return 'aborted';
  };

describe('an event stream over HTTP', () => {
  it('sends ids, names and payloads as they are, the time to come back first, and closes at the end', async () => {
    const odd = '{ "a" : 1.0, "text":"秋季 🍵", "b":1 }';
    feed = async function* () {
      yield entry('1-1', odd);
      yield { kind: 'gap', seq: '1-1', payload: '{}' };
      yield { kind: 'snapshot', seq: '2-0', payload: '{"two":\n"lines"}' };
      return 'ended';
    };
    const response = await connect();
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-extra': 'yes',
    });
    expect(await bodyOf(response)).toBe(
      'retry: 1000\n\n' +
        `id: 1-1\nevent: message\ndata: ${odd}\n\n` +
        'id: 1-1\nevent: gap\ndata: {}\n\n' +
        'id: 2-0\nevent: snapshot\ndata: {"two":\ndata: "lines"}\n\n',
    );
    expect(await ended).toBe('ended');
    expect(clock.waiting).toBe(0);
  });

  it('sends a comment every 15 seconds', async () => {
    feed = waiting();
    const response = await connect();
    let body = '';
    response.on('data', (chunk: string) => {
      body += chunk;
    });
    for (const beats of [1, 2]) {
      await expect.poll(() => clock.waiting).toBe(1);
      clock.advance(15_000);
      await expect.poll(() => body.split(': heartbeat\n\n').length - 1).toBe(beats);
    }
    stop.abort();
    expect(await ended).toBe('aborted');
  });

  it('releases everything when the client goes away', async () => {
    feed = waiting(entry('1-1', '{}'));
    const response = await connect();
    await once(response, 'data');
    response.destroy();
    await expect.poll(() => ended).not.toBeNull();
    expect(await ended).toBe('disconnected');
    expect(clock.waiting).toBe(0);
  });

  it('a stream that is ended from outside is closed properly', async () => {
    feed = waiting(entry('1-1', '{}'));
    const response = await connect();
    const body = bodyOf(response);
    stop.abort();
    expect(await body).toContain('id: 1-1');
    expect(await ended).toBe('aborted');
  });

  it('does not ask for more than the client takes, and cuts it when the feed says it is slow', async () => {
    let given = 0;
    let tooSlow = () => {};
    feed = async function* ({ signal, onSlow }) {
      tooSlow = onSlow;
      while (!signal.aborted) {
        given += 1;
        yield entry(`1-${given}`, 'x'.repeat(100_000));
      }
      return 'slow';
    };
    const response = await connect();
    // Nobody reads the response, so the sockets fill up and the count stands still.
    let before = -1;
    await expect
      .poll(
        () => {
          const still = before === given;
          before = given;
          return still;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(given).toBeLessThan(1_000);
    tooSlow();
    expect(await ended).toBe('slow');
    await expect(bodyOf(response)).rejects.toThrow();
  });

  it('a feed that fails breaks the connection, so that the client comes back', async () => {
    feed = async function* () {
      yield entry('1-1', '{}');
      throw new Error('Redis is away');
    };
    await expect(bodyOf(await connect())).rejects.toThrow();
    expect(await ended).toBe('failed');
    expect(errors).toEqual([expect.objectContaining({ message: 'Redis is away' })]);
  });
});
