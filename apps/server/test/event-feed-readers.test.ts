import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { END, openFeeds, seq } from './feed-fixture.js';
import { aMessageStream, withRedis } from './redis-fixture.js';

let feeds: Awaited<ReturnType<typeof openFeeds>>;
beforeEach(async () => {
  feeds = await openFeeds();
});
afterEach(() => feeds.redis.close());

describe('many readers', () => {
  it('200 of them over 20 logs use one connection to listen, and get everything once', async () => {
    const feed = feeds.feedWith();
    const streams = Array.from({ length: 20 }, aMessageStream);
    const name = `plinth-test-${Math.random()}`;
    await feeds.redis.connections.get('subscriber').client('SETNAME', name);
    const readers = streams.flatMap((stream) =>
      Array.from({ length: 10 }, () => feeds.follow(stream, {}, feed)),
    );
    const ends = readers.map((reader) => reader.rest());
    await expect.poll(() => feeds.clock.waiting).toBe(200);
    const listening = await withRedis(feeds.redis.url, async (admin) => {
      const clients = String(await admin.client('LIST')).split('\n');
      return clients.filter(
        (line) => Number(/ sub=(\d+)/.exec(line)?.[1] ?? 0) > 0 && line.includes(`name=${name}`),
      );
    });
    expect(listening).toHaveLength(1);
    expect(listening[0]).toContain(' sub=20 ');
    const payloads = [...Array.from({ length: 20 }, (_, index) => `${index}`), END];
    await Promise.all(streams.map((stream) => feeds.writer(stream).append(...payloads)));
    expect(new Set(await Promise.all(ends))).toEqual(new Set(['ended']));
    for (const reader of readers) expect(reader.got.map(({ payload }) => payload)).toEqual(payloads);
  });

  it('a log that all have left is listened to again for the next one', async () => {
    const stream = aMessageStream();
    for (let round = 0; round < 2; round += 1) {
      const reader = feeds.follow(stream);
      const all = reader.rest();
      await feeds.idle();
      reader.stop();
      expect(await all).toBe('aborted');
    }
    const reader = feeds.follow(stream);
    const all = reader.rest();
    await feeds.idle();
    await feeds.writer(stream).append(END);
    expect(await all).toBe('ended');
  });

  it('one that does not read is cut, comes back with its last seq and has lost nothing', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    let cut = false;
    const onSlow = () => {
      cut = true;
    };
    const slow = feeds.follow(stream, { onSlow }, feeds.feedWith({ maxEntries: 10 }));
    const first = slow.next();
    await log.append('0');
    await first;
    const payloads = Array.from({ length: 50 }, (_, index) => `${index + 1}`);
    await log.append(...payloads);
    await expect.poll(() => cut).toBe(true);
    expect(await slow.rest()).toBe('slow');
    await log.append(END);
    const back = feeds.follow(stream, { after: seq(slow.got.at(-1)?.seq ?? '') });
    expect(await back.rest()).toBe('ended');
    expect([...slow.got, ...back.got].map(({ payload }) => payload)).toEqual(['0', ...payloads, END]);
  });

  it('large entries cut a reader by their size', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    const slow = feeds.follow(stream, {}, feeds.feedWith({ maxCharacters: 1_000 }));
    const first = slow.next();
    await log.append('x'.repeat(5_000));
    await first;
    let cut = false;
    const second = feeds.follow(
      stream,
      {
        onSlow: () => {
          cut = true;
        },
      },
      feeds.feedWith({ maxCharacters: 1_000 }),
    );
    await second.next();
    await log.append('y'.repeat(600), 'z'.repeat(600));
    await expect.poll(() => cut).toBe(true);
    expect(await second.rest()).toBe('slow');
    slow.stop();
    await slow.rest();
  });

  it('one that reads is not cut, however much comes while the feed itself is busy', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    let release = () => {};
    const rebuilding = new Promise<void>((resolve) => {
      release = resolve;
    });
    log.raiseEpoch();
    await log.append('0');
    const reader = feeds.follow(
      stream,
      {
        after: seq('1-5'),
        rebuild: async () => {
          await rebuilding;
          return { seq: '2-0', payload: 'state' };
        },
      },
      feeds.feedWith({ maxEntries: 10 }),
    );
    const all = reader.rest();
    await feeds.idle();
    const payloads = Array.from({ length: 50 }, (_, index) => `${index + 1}`);
    await log.append(...payloads, END);
    release();
    expect(await all).toBe('ended');
    expect(reader.got.slice(2).map(({ payload }) => payload)).toEqual(['0', ...payloads, END]);
  });
});
