import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { runFinished } from '../../testing/log-builder.js';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import type { ThreadSession } from './thread-session-api.js';

let platform: FakePlatform;
let plinth: Plinth;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  const timing = createManualTiming();
  plinth = createPlinth({
    baseUrl: 'http://api',
    request: platform.request,
    now: timing.now,
    wait: timing.wait,
  });
});

const ids = (session: ThreadSession) => session.getSnapshot().messages.map((message) => message.id);
const readings = () => platform.calls.filter((line) => line.endsWith('/messages')).length;
/** A run that has ended; the ids of its two messages end with its number. */
const exchange = (text: string) => {
  const run = platform.startRun('thr_1', text);
  platform.emit(run.messageId, runFinished());
  return run;
};

async function open(): Promise<ThreadSession> {
  const session = plinth.thread('thr_1');
  session.subscribe(() => undefined);
  await eventually(() => expect(session.getSnapshot()).toMatchObject({ phase: 'ready', connection: 'live' }));
  return session;
}

describe('a head that was moved', () => {
  it('elsewhere is heard, and the path that leads to it is shown', async () => {
    const first = exchange('one');
    exchange('two');
    const session = await open();
    expect(ids(session)).toEqual(['msg_u1', 'msg_a1', 'msg_u2', 'msg_a2']);
    platform.moveHead('thr_1', first.messageId);
    await eventually(() => expect(ids(session)).toEqual(['msg_u1', 'msg_a1']));
    exchange('another two');
    await eventually(() => expect(ids(session)).toEqual(['msg_u1', 'msg_a1', 'msg_u3', 'msg_a3']));
    expect(session.getSnapshot().messages[2]?.siblings).toEqual(['msg_u2', 'msg_u3']);
  });

  it('before everything is heard: the thread is shown empty, and what is sent then begins anew', async () => {
    exchange('one');
    const session = await open();
    platform.moveHead('thr_1', null);
    await eventually(() => expect(ids(session)).toEqual([]));
    await session.send({ text: 'another one', agent: 'poster' });
    await eventually(() =>
      expect(session.getSnapshot().messages[0]).toMatchObject({
        id: 'msg_u2',
        siblings: ['msg_u1', 'msg_u2'],
      }),
    );
  });

  it('while the stream was not open is found out when it opens', async () => {
    const first = exchange('one');
    exchange('two');
    const release = platform.hold('/events');
    const session = plinth.thread('thr_1');
    session.subscribe(() => undefined);
    await eventually(() => expect(ids(session)).toHaveLength(4));
    platform.moveHead('thr_1', first.messageId);
    release();
    await eventually(() => expect(ids(session)).toEqual(['msg_u1', 'msg_a1']));
  });

  it('before the session was opened costs one more reading of the page, however often it was moved', async () => {
    const first = exchange('one');
    exchange('two');
    platform.moveHead('thr_1', first.messageId);
    exchange('another two');
    platform.moveHead('thr_1', first.messageId);
    const last = exchange('a third two');
    const session = await open();
    // The log is read in order: when the next run shows, all before it was heard.
    platform.startRun('thr_1', 'three');
    await eventually(() => expect(ids(session)).toContain('msg_a5'));
    expect(ids(session)).toContain(last.messageId);
    expect(readings()).toBe(1 + 1 + 1);
  });

  it('before an own message gives that message its siblings', async () => {
    const first = exchange('one');
    exchange('two');
    const session = await open();
    platform.moveHead('thr_1', first.messageId);
    await eventually(() => expect(ids(session)).toHaveLength(2));
    await session.send({ text: 'another two', agent: 'poster' });
    await eventually(() =>
      expect(session.getSnapshot().messages[2]).toMatchObject({
        id: 'msg_u3',
        siblings: ['msg_u2', 'msg_u3'],
      }),
    );
  });

  it('while an own message was under way: the message is shown where it really stands', async () => {
    const first = exchange('one');
    exchange('two');
    const session = await open();
    const release = platform.hold('POST');
    const sending = session.send({ text: 'another two', agent: 'poster' });
    platform.moveHead('thr_1', first.messageId);
    release();
    await sending;
    await eventually(() => expect(ids(session)).toEqual(['msg_u1', 'msg_a1', 'msg_u3', 'msg_a3']));
  });
});
