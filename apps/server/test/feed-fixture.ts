import { LOG_START, type StreamRef } from '@plinth/engine';
import { parseSeq, type Seq } from '@plinth/protocol';
import { ManualClock } from '@plinth/testkit';
import { expect } from 'vitest';
import { EventFeed, type FeedLimits } from '../src/events/event-feed.js';
import { EventHub } from '../src/events/event-hub.js';
import type { FeedEnd, FeedEntry, FeedRequest } from '../src/events/feed-entry.js';
import { type EventLogLimits, RedisEventLog } from '../src/events/redis-event-log.js';
import { RedisSubscriber } from '../src/platform/redis/redis-subscriber.js';
import { acme, openRedis } from './redis-fixture.js';

export const END = '{"type":"run.finished"}';
export const isEnd = ({ payload }: FeedEntry): boolean => payload.includes('run.finished');
export const seq = (text: string): Seq => parseSeq(text) ?? { epoch: 0, n: 0 };

/** A `rebuild` whose state is known to have reached a place. */
export const state =
  (at: string, payload = 'state') =>
  async () => ({ seq: at, payload });

/** One process that reads logs, and a clock that stands still. */
export async function openFeeds() {
  const redis = await openRedis();
  const clock = new ManualClock();
  const subscriber = new RedisSubscriber(redis.connections.get('subscriber'), (error) =>
    redis.errors.push(error),
  );
  const feedWith = (limits: Partial<FeedLimits> = {}) =>
    new EventFeed(redis.reader, new EventHub(subscriber, redis.keys), clock, limits);

  return {
    redis,
    clock,
    feedWith,
    /** Until a feed listens and has nothing to give. */
    idle: () => expect.poll(() => clock.waiting).toBeGreaterThan(0),

    /** Until a feed that was woken has read the log: its two reads went over this connection before ours. */
    async settled() {
      for (let read = 0; read < 3; read += 1) await redis.commands.ping();
    },

    /** Reads a feed entry by entry, or to its end; what it gave is in `got`. */
    follow(stream: StreamRef, request: Partial<FeedRequest> = {}, feed = feedWith()) {
      const stop = new AbortController();
      const defaults = {
        tenant: acme,
        stream,
        after: null,
        signal: stop.signal,
        isEnd,
        rebuild: async () => null,
      };
      const iterator = feed.follow({ ...defaults, ...request });
      const got: FeedEntry[] = [];
      const next = async (): Promise<FeedEntry | FeedEnd> => {
        const { value, done } = await iterator.next();
        if (!done) got.push(value);
        return value;
      };
      const rest = async (): Promise<FeedEnd> => {
        for (;;) {
          const given = await next();
          if (typeof given === 'string') return given;
        }
      };
      const told = () => got.map(({ kind, seq: at, payload }) => `${kind} ${at} ${payload}`);
      return { got, next, rest, told, stop: () => stop.abort() };
    },

    /** Writes to one log, as the worker that holds the run. */
    writer(stream: StreamRef, limits: Partial<EventLogLimits> = {}) {
      const log = new RedisEventLog(redis.commands, redis.once, redis.keys, limits);
      let expected = { ...LOG_START };
      const begins = { fence: 0 };
      return {
        async append(...payloads: string[]): Promise<void> {
          for (const payload of payloads) {
            const entry = { payload, eventId: null, fence: 1, expect: expected, begins, ttlSeconds: 60 };
            const outcome = await log.append(acme, stream, entry);
            if (outcome.kind !== 'appended') throw new Error(`the log answered ${outcome.kind}`);
            const { epoch, n } = seq(outcome.seq);
            expected = { epoch, tail: n };
          }
        },
        raiseEpoch: () => {
          expected = { epoch: expected.epoch + 1, tail: 0 };
        },
      };
    },
  };
}
