import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamRef } from '@plinth/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendEventStream } from '../src/events/sse-stream.js';
import { END, isEnd, openFeeds, seq } from './feed-fixture.js';
import { acme, aMessageStream } from './redis-fixture.js';

let feeds: Awaited<ReturnType<typeof openFeeds>>;
beforeEach(async () => {
  feeds = await openFeeds();
});
afterEach(() => feeds.redis.close());

const DELTAS = 400;
const ABOUT = { runId: 'run_01k0a1b2c3d4e5f6g7h8j9k0m1', messageId: 'msg_01k0a1b2c3d4e5f6g7h8j9k0m2' };
const event = (body: object) => JSON.stringify({ ...body, ...ABOUT, at: '2026-11-29T09:00:00.000Z' });
const WORDS = 'a poster for our autumn ';
const delta = (index: number) =>
  event({ type: 'text.delta', turn: 0, from: index * WORDS.length, text: WORDS });
const DONE = event({ type: 'text.done', turn: 0, text: WORDS.repeat(DELTAS) });
const STARTED = event({ type: 'turn.started', turn: 0, of: 24 });
const pieces = Array.from({ length: DELTAS }, (_, index) => delta(index));

/** What a replay is on the wire. */
async function replayed(stream: StreamRef, fold: boolean): Promise<{ frames: number; bytes: number }> {
  const server = createServer((_request, response) => {
    const open = ({ signal }: { signal: AbortSignal }) =>
      feeds
        .feedWith()
        .follow({ tenant: acme, stream, after: null, fold, signal, isEnd, rebuild: async () => null });
    const stop = new AbortController();
    void sendEventStream(response, open, { clock: feeds.clock, signal: stop.signal, onError: () => {} });
  }).listen(0);
  await once(server, 'listening');
  const [response] = (await once(get({ port: (server.address() as AddressInfo).port }), 'response')) as [
    IncomingMessage,
  ];
  let body = '';
  for await (const chunk of response) body += chunk;
  server.close();
  return { frames: body.match(/^id: /gm)?.length ?? 0, bytes: Buffer.byteLength(body) };
}

describe('a replay that folds finished texts', () => {
  it('sends the pieces of a text over several pages of the log as one entry', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream).append(STARTED, ...pieces, DONE, END);
    const reader = feeds.follow(stream, { fold: true });
    expect(await reader.rest()).toBe('ended');
    expect(reader.told()).toEqual([
      `entry 1-1 ${STARTED}`,
      `folded 1-401 {"type":"folded","from":"1-2","to":"1-401"}`,
      `entry 1-402 ${DONE}`,
      `entry 1-403 ${END}`,
    ]);
    const before = await replayed(stream, false);
    const after = await replayed(stream, true);
    console.log(
      `replay of ${DELTAS} deltas: ${before.frames} frames, ${before.bytes} bytes; folded ${after.frames} frames, ${after.bytes} bytes`,
    );
    expect([before.frames, after.frames]).toEqual([DELTAS + 3, 4]);
    expect(after.bytes).toBeLessThan(before.bytes / 5);
  });

  it('a reader inside such a text, or at its end, gets the whole of it, never half', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream).append(STARTED, ...pieces, DONE, END);
    for (const [after, first] of [
      ['1-21', 'folded 1-401 {"type":"folded","from":"1-22","to":"1-401"}'],
      ['1-400', `entry 1-401 ${delta(399)}`],
      ['1-401', `entry 1-402 ${DONE}`],
    ] as const) {
      const reader = feeds.follow(stream, { fold: true, after: seq(after) });
      expect(await reader.rest()).toBe('ended');
      expect(reader.told()[0]).toBe(first);
      expect(reader.told()).toContain(`entry 1-402 ${DONE}`);
    }
  });

  it('a text that still streams comes piece by piece, and so does what comes live', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append(STARTED, ...pieces.slice(0, 250));
    const reader = feeds.follow(stream, { fold: true });
    for (let count = 0; count < 251; count += 1) await reader.next();
    const all = reader.rest();
    await feeds.idle();
    await log.append(...pieces.slice(250, 260), DONE, END);
    expect(await all).toBe('ended');
    expect(reader.got.map(({ kind }) => kind)).toEqual(Array.from({ length: 263 }, () => 'entry'));
  });

  it('without being asked nothing is folded', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream).append(STARTED, ...pieces, DONE, END);
    const reader = feeds.follow(stream);
    await reader.rest();
    expect(reader.got.map(({ payload }) => payload)).toEqual([STARTED, ...pieces, DONE, END]);
  });
});
