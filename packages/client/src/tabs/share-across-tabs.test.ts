import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakeLocks } from '../../testing/fake-locks.js';
import { runFinished, textDelta, toEntries } from '../../testing/log-builder.js';
import { createHurriedTiming, createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import {
  entriesAfter,
  type SseHandlers,
  type SseServer,
  startSseServer,
  toFrame,
} from '../../testing/sse-server.js';
import { createTestTools } from '../../testing/stream-tools-for-test.js';
import { followEvents } from '../stream/follow-events.js';
import { shareAcrossTabs, type TabLocks } from './share-across-tabs.js';
import { openTabChannel } from './tab-channel.js';

const WORDS = ['Hel', 'lo ', '茶会', ' 🍵', '!', ' Again', ' and', ' again', '.'];
const starts = WORDS.map((_, index) => WORDS.slice(0, index).join('').length);
const LOG = toEntries([...WORDS.map((word, index) => textDelta(0, starts[index] ?? 0, word)), runFinished()]);
const SEQS = LOG.map(({ seq }) => seq);

const STREAM = 'plinth.stream ada /events';

let server: SseServer;
let locks: TabLocks;
let timing: ManualTiming;
let stops: AbortController[] = [];
/** Entries that the log has so far. */
let written = 0;

async function serve(handlers: Partial<SseHandlers> = {}): Promise<void> {
  locks = createFakeLocks();
  timing = createManualTiming();
  written = 0;
  server = await startSseServer({
    onStream: (stream) => stream.write(behind(stream.lastEventId)),
    ...handlers,
  });
}

const behind = (cursor: string | null) => entriesAfter(LOG.slice(0, written), cursor).map(toFrame).join('');

/** The server writes more of the log, to every open stream what it has not. */
function write(count: number): void {
  const frames = LOG.slice(written, written + count)
    .map(toFrame)
    .join('');
  written += count;
  for (const stream of server.open) stream.write(frames);
}

/** Waits until a check holds, while time passes. */
const passing = (check: () => void) =>
  eventually(async () => {
    await timing.advance(60);
    check();
  });

afterEach(async () => {
  for (const stop of stops) stop.abort();
  stops = [];
  await server.close();
});

/** A tab that follows the log from a place; what it got is in `seqs`, in the order in which it came. */
function aTab(from: string | null = null, scope = 'ada') {
  const stop = new AbortController();
  stops.push(stop);
  const seqs: string[] = [];
  const statuses: string[] = [];
  const hurried = createHurriedTiming();
  const tools = createTestTools({ baseUrl: server.url }, hurried);
  const share = shareAcrossTabs({ scope, locks, now: timing.now, wait: timing.wait });
  const ended = followEvents(
    { ...tools, transport: share(tools.transport) },
    {
      path: '/events',
      signal: stop.signal,
      cursor: () => seqs.at(-1) ?? from,
      onStatus: (status) => statuses.push(status),
      onFrames: (frames) => {
        for (const { id } of frames) if (!seqs.includes(id)) seqs.push(id);
        return seqs.at(-1) === SEQS.at(-1) ? 'finished' : 'go-on';
      },
    },
  );
  return {
    seqs,
    statuses,
    ended,
    leave: () => stop.abort(),
    has: (count: number) => eventually(() => expect(seqs).toEqual(SEQS.slice(0, count))),
  };
}

describe('event streams that tabs share', () => {
  it('three tabs read one connection, and each has every event', async () => {
    await serve();
    const tabs = [aTab(), aTab(), aTab()];
    for (const tab of tabs) await eventually(() => expect(tab.statuses.at(-1)).toBe('live'));
    write(LOG.length);
    await Promise.all(tabs.map(({ ended }) => ended));
    expect(tabs.map(({ seqs }) => seqs)).toEqual([SEQS, SEQS, SEQS]);
    expect(server.requests).toHaveLength(1);
  });

  it('a tab that comes later is told what it has not seen', async () => {
    await serve();
    const first = aTab();
    await eventually(() => expect(server.open.size).toBe(1));
    write(4);
    await first.has(4);
    const second = aTab();
    await second.has(4);
    const third = aTab(SEQS[1]);
    await eventually(() => expect(third.seqs).toEqual(SEQS.slice(2, 4)));
    expect(server.requests).toHaveLength(1);
  });

  it('when the tab with the connection goes away, another takes over behind the last event, and nobody reconnects', async () => {
    await serve();
    const [first, second, third] = [aTab(), aTab(), aTab()];
    for (const tab of [second, third]) await eventually(() => expect(tab.statuses.at(-1)).toBe('live'));
    write(3);
    await Promise.all([first.has(3), second.has(3), third.has(3)]);
    first.leave();
    await passing(() => expect(server.requests).toHaveLength(2));
    await eventually(() => expect(server.open.size).toBe(1));
    write(LOG.length - 3);
    await Promise.all([second.ended, third.ended]);
    expect([second.seqs, third.seqs]).toEqual([SEQS, SEQS]);
    expect(server.requests.map(({ lastEventId }) => lastEventId)).toEqual([null, SEQS[2]]);
    expect([second.statuses, third.statuses]).toEqual([
      ['connecting', 'live'],
      ['connecting', 'live'],
    ]);
  });

  it('a place that the tab with the connection does not have is fetched from the server', async () => {
    await serve();
    written = 5;
    const first = aTab(SEQS[3]);
    await eventually(() => expect(first.seqs).toEqual([SEQS[4]]));
    const second = aTab(SEQS[0]);
    await eventually(() => expect(second.seqs).toEqual(SEQS.slice(1, 5)));
    expect(server.requests.map(({ lastEventId }) => lastEventId)).toEqual([SEQS[3], SEQS[0]]);
  });

  it('a tab that holds the lock and does not answer is not waited for beyond a second', async () => {
    await serve();
    const stuck = new AbortController();
    void locks.request(STREAM, { signal: stuck.signal }, () => new Promise(() => undefined));
    const tab = aTab();
    await eventually(() => expect(timing.waiting()).toBe(1));
    await timing.advance(999);
    expect(server.requests).toHaveLength(0);
    await timing.advance(1);
    await eventually(() => expect(tab.statuses.at(-1)).toBe('live'));
    write(LOG.length);
    await tab.ended;
    expect(tab.seqs).toEqual(SEQS);
  });

  it('tabs that asked before anybody had the connection are told of it', async () => {
    await serve();
    const before = new AbortController();
    const released = new Promise<void>((resolve) => before.signal.addEventListener('abort', () => resolve()));
    void locks.request(STREAM, { signal: new AbortController().signal }, () => released);
    const heard: unknown[] = [];
    const listener = openTabChannel(STREAM);
    listener.listen((message) => heard.push(message));
    const tabs = [aTab(), aTab(), aTab()];
    await eventually(() => expect(heard).toHaveLength(3));
    listener.close();
    await new Promise((resolve) => setImmediate(resolve));
    before.abort();
    for (const tab of tabs) await eventually(() => expect(tab.statuses.at(-1)).toBe('live'));
    expect(server.requests).toHaveLength(1);
  });

  it('a connection that has been silent is not joined', async () => {
    await serve();
    const first = aTab();
    await eventually(() => expect(server.open.size).toBe(1));
    write(1);
    await first.has(1);
    await timing.advance(20_001);
    aTab();
    await eventually(() => expect(server.requests).toHaveLength(2));
  });

  it('a refusal reaches every tab as the server gave it', async () => {
    const problem = { type: 'about:blank', title: 'No', status: 404, code: 'not_found', requestId: 'req_1' };
    await serve({
      onStream: () => undefined,
      onRequest: (_request, response) => {
        response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
        return true;
      },
    });
    const ends: unknown[] = [];
    for (const { ended } of [aTab(), aTab()]) ended.catch((error: unknown) => ends.push(error));
    await passing(() => expect(ends).toHaveLength(2));
    expect(ends).toEqual(Array(2).fill(expect.objectContaining({ code: 'not_found', status: 404 })));
  });

  it('another person in the same browser has a connection of their own', async () => {
    await serve();
    aTab(null, 'ada');
    aTab(null, 'bob');
    await eventually(() => expect(server.open.size).toBe(2));
  });

  it('without locks every tab has its own connection', async () => {
    await serve();
    const tools = createTestTools({ baseUrl: server.url }, createHurriedTiming());
    expect(shareAcrossTabs({ scope: 'ada', locks: undefined })(tools.transport)).toBe(tools.transport);
  });

  it('whatever tabs come and go, and whatever connections break: who stays has every event once, in order', async () => {
    const step = fc.oneof(
      fc.constant({ do: 'come' as const }),
      fc.record({ do: fc.constant('leave' as const), which: fc.nat(5) }),
      fc.constant({ do: 'cut' as const }),
      fc.record({ do: fc.constant('write' as const), count: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await serve();
        try {
          const tabs = [aTab(), aTab()];
          for (const action of steps) {
            if (action.do === 'come') tabs.push(aTab());
            if (action.do === 'leave' && tabs.length > 1)
              tabs.splice(action.which % tabs.length, 1)[0]?.leave();
            if (action.do === 'cut') for (const stream of server.open) stream.cut();
            if (action.do === 'write' && written + action.count < LOG.length) write(action.count);
            await timing.advance(1_000);
          }
          write(LOG.length - written);
          const ended = Promise.all(tabs.map((tab) => tab.ended));
          await eventually(async () => {
            await timing.advance(1_000);
            for (const { seqs } of tabs) expect(seqs).toEqual(SEQS);
          });
          await ended;
        } finally {
          for (const stop of stops) stop.abort();
          stops = [];
          await server.close();
        }
      }),
      { numRuns: 25 },
    );
    await serve();
  }, 60_000);
});
