import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { END, openFeeds, seq, state } from './feed-fixture.js';
import { acme, aMessageStream } from './redis-fixture.js';

let feeds: Awaited<ReturnType<typeof openFeeds>>;
beforeEach(async () => {
  feeds = await openFeeds();
});
afterEach(() => feeds.redis.close());

describe('a feed whose log has lost entries', () => {
  it('trimmed before the cursor: gap, the state of now, and on from there', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream, { maxEntries: 2, trim: 'exact' });
    await log.append('a', 'b', 'c', 'd', 'e', END);
    for (const after of [null, seq('1-2')]) {
      // What the ledger knows is only a lower bound: the log has gone on since.
      const reader = feeds.follow(stream, { after, rebuild: state('1-3') });
      expect(await reader.rest()).toBe('ended');
      const from = after === null ? '1-0' : '1-2';
      expect(reader.told()).toEqual([
        `gap ${from} {"type":"gap","from":"${from}","to":"1-4"}`,
        'snapshot 1-4 state',
        'entry 1-5 e',
        `entry 1-6 ${END}`,
      ]);
    }
  });

  it('a cursor right before the first entry that is left needs no gap', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream, { maxEntries: 2, trim: 'exact' }).append('a', 'b', END);
    const reader = feeds.follow(stream, { after: seq('1-1') });
    await reader.rest();
    expect(reader.told()).toEqual(['entry 1-2 b', `entry 1-3 ${END}`]);
  });

  it('flushed in mid-way: the reader hears of it by the poll, and of what comes in the new epoch', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append('a', 'b');
    const reader = feeds.follow(stream, { rebuild: state('1-2') });
    const all = reader.rest();
    await expect.poll(() => reader.got.length).toBe(2);
    await feeds.redis.commands.flushdb();
    feeds.clock.advance(15_000);
    await expect.poll(() => reader.got.length).toBe(4);
    await feeds.idle();
    feeds.clock.advance(15_000);
    await feeds.settled();
    log.raiseEpoch();
    await log.append('a b c', END);
    expect(await all).toBe('ended');
    expect(reader.told().slice(2)).toEqual([
      'gap 1-2 {"type":"gap","from":"1-2","to":"1-2"}',
      'snapshot 1-2 state',
      'gap 1-2 {"type":"gap","from":"1-2","to":"2-0"}',
      'snapshot 2-0 state',
      'entry 2-1 a b c',
      `entry 2-2 ${END}`,
    ]);
  });

  it('flushed and written again before anybody looked: gap and snapshot', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append('a');
    const reader = feeds.follow(stream, { rebuild: state('2-0') });
    const all = reader.rest();
    await expect.poll(() => reader.got.length).toBe(1);
    await feeds.redis.commands.flushdb();
    log.raiseEpoch();
    await log.append(END);
    expect(await all).toBe('ended');
    expect(reader.told().slice(1)).toEqual([
      'gap 1-1 {"type":"gap","from":"1-1","to":"2-0"}',
      'snapshot 2-0 state',
      `entry 2-1 ${END}`,
    ]);
  });

  it('restored from an older file: a reader that is further gets gap and snapshot once, not at every look', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    await log.append('a', 'b', 'c', 'd');
    const reader = feeds.follow(stream, { rebuild: state('1-3') });
    const all = reader.rest();
    await expect.poll(() => reader.got.length).toBe(4);
    await feeds.redis.lose(acme, stream, '1-2');
    feeds.clock.advance(15_000);
    await expect.poll(() => reader.got.length).toBe(6);
    await feeds.idle();
    feeds.clock.advance(15_000);
    await feeds.settled();
    log.raiseEpoch();
    await log.append(END);
    expect(await all).toBe('ended');
    expect(reader.told().slice(4)).toEqual([
      'gap 1-4 {"type":"gap","from":"1-4","to":"1-2"}',
      'snapshot 1-2 state',
      'gap 1-2 {"type":"gap","from":"1-2","to":"2-0"}',
      'snapshot 2-0 state',
      `entry 2-1 ${END}`,
    ]);
  });

  it('a cursor in an older epoch, whose entries are gone', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    log.raiseEpoch();
    await log.append('b', END);
    const reader = feeds.follow(stream, { after: seq('1-7'), rebuild: state('2-0') });
    expect(await reader.rest()).toBe('ended');
    expect(reader.told()).toEqual([
      'gap 1-7 {"type":"gap","from":"1-7","to":"2-0"}',
      'snapshot 2-0 state',
      'entry 2-1 b',
      `entry 2-2 ${END}`,
    ]);
  });

  it('a log whose beginning was in an epoch that is gone is not taken for a whole one', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    log.raiseEpoch();
    await log.append(END);
    const reader = feeds.follow(stream, { after: null, rebuild: state('2-0') });
    await reader.rest();
    expect(reader.told().map((line) => line.split(' ')[0])).toEqual(['gap', 'snapshot', 'entry']);
  });

  it('a cursor that never was', async () => {
    const stream = aMessageStream();
    await feeds.writer(stream).append('a', END);
    const reader = feeds.follow(stream, { after: seq('99-99'), rebuild: state('1-1') });
    expect(await reader.rest()).toBe('ended');
    expect(reader.told().slice(1)).toEqual(['snapshot 1-1 state', `entry 1-2 ${END}`]);
  });

  it('expired after the end of the run: the state, and that is all', async () => {
    for (const after of [null, seq('1-3')]) {
      const reader = feeds.follow(aMessageStream(), { after, rebuild: state('1-9', END) });
      expect(await reader.rest()).toBe('ended');
      expect(reader.got.map(({ kind, seq: at }) => `${kind} ${at}`)).toEqual([
        `gap ${after === null ? '1-0' : '1-3'}`,
        'snapshot 1-9',
      ]);
    }
  });

  it('a log without a state to show says its gap and goes on', async () => {
    const stream = aMessageStream();
    const log = feeds.writer(stream);
    log.raiseEpoch();
    await log.append(END);
    const reader = feeds.follow(stream, { after: seq('1-5') });
    expect(await reader.rest()).toBe('ended');
    expect(reader.told()).toEqual(['gap 1-5 {"type":"gap","from":"1-5","to":"2-0"}', `entry 2-1 ${END}`]);
  });
});
