import type { Seq } from '@plinth/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEntry } from '../src/events/feed-entry.js';
import { END, isEnd, openFeeds, seq, state } from './feed-fixture.js';
import { acme, aMessageStream } from './redis-fixture.js';

let feeds: Awaited<ReturnType<typeof openFeeds>>;
beforeEach(async () => {
  feeds = await openFeeds();
});
afterEach(() => feeds.redis.close());

describe('the feed of one log', () => {
  it('gives what stands in the log, then what comes, and ends after the terminal event', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append('a', 'b');
    const reader = feeds.follow(stream);
    expect(await reader.next()).toEqual({ kind: 'entry', seq: '1-1', payload: 'a' });
    await reader.next();
    const live = reader.rest();
    await log.append('c', END);
    expect(await live).toBe('ended');
    expect(reader.told()).toEqual(['entry 1-1 a', 'entry 1-2 b', 'entry 1-3 c', `entry 1-4 ${END}`]);
  });

  it('a log to which nothing was written yet is waited for, without a gap', async () => {
    const stream = aMessageStream();
    const reader = feeds.follow(stream, { rebuild: state('1-0') });
    const all = reader.rest();
    await feeds.idle();
    await feeds.writer(stream).append('a', END);
    expect(await all).toBe('ended');
    expect(reader.told()).toEqual(['entry 1-1 a', `entry 1-2 ${END}`]);
  });

  it('cut after any event and resumed, twice each, beside a second reader: all read the same', async () => {
    const stream = aMessageStream();
    const payloads = [...Array.from({ length: 30 }, (_, index) => `${index}`), END];
    const log = feeds.writer(stream);
    const whole = feeds.follow(stream);
    const wholeEnd = whole.rest();
    const cutOften = (async () => {
      const got: FeedEntry[] = [];
      let after: Seq | null = null;
      for (;;) {
        // Twice from the same place: the first connection is lost before its entry was taken in.
        const lost = feeds.follow(stream, { after });
        const first = await lost.next();
        lost.stop();
        const kept = feeds.follow(stream, { after });
        const again = await kept.next();
        kept.stop();
        await Promise.all([lost.rest(), kept.rest()]);
        expect(again).toEqual(first);
        if (typeof again === 'string') return got;
        got.push(again);
        after = seq(again.seq);
        if (isEnd(again)) return got;
      }
    })();
    for (const payload of payloads) await log.append(payload);
    expect(await wholeEnd).toBe('ended');
    expect(whole.got.map(({ payload }) => payload)).toEqual(payloads);
    expect(await cutOften).toEqual(whole.got);
  });

  it('a reader that has the terminal event already is done at once', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream).append('a', END);
    const reader = feeds.follow(stream, { after: seq('1-2') });
    expect(await reader.rest()).toBe('ended');
    expect(reader.got).toEqual([]);
  });

  it('an entry whose message never came is found by the slow poll', async () => {
    const stream = aMessageStream();
    const reader = feeds.follow(stream);
    const all = reader.rest();
    await feeds.idle();
    await feeds.redis.commands.xadd(feeds.redis.keys.log(acme, stream).entries, '1-1', 'p', END);
    feeds.clock.advance(15_000);
    expect(await all).toBe('ended');
  });

  it('entries whose messages never came are filled in when a later one comes', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append('a');
    const reader = feeds.follow(stream);
    await reader.next();
    const all = reader.rest();
    const { entries } = feeds.redis.keys.log(acme, stream);
    await feeds.redis.commands.multi().xadd(entries, '1-2', 'p', 'b').xadd(entries, '1-3', 'p', 'c').exec();
    await log.append(END);
    expect(await all).toBe('ended');
    expect(reader.told()).toEqual(['entry 1-1 a', 'entry 1-2 b', 'entry 1-3 c', `entry 1-4 ${END}`]);
  });

  it('what was appended while the subscriber connection was away is filled in when it is back', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    const reader = feeds.follow(stream);
    const all = reader.rest();
    await feeds.idle();
    feeds.redis.connections.get('subscriber').disconnect(true);
    await log.append('a', 'b', END);
    expect(await all).toBe('ended');
    expect(reader.got.map(({ payload }) => payload)).toEqual(['a', 'b', END]);
  });

  it('aborted, it ends and leaves nothing behind', async () => {
    const stream = aMessageStream();
    const reader = feeds.follow(stream);
    const all = reader.rest();
    await feeds.idle();
    reader.stop();
    expect(await all).toBe('aborted');
    expect(feeds.clock.waiting).toBe(0);
    const { channel } = feeds.redis.keys.log(acme, stream);
    await expect.poll(() => feeds.redis.commands.pubsub('NUMSUB', channel)).toEqual([channel, 0]);
  });
});
