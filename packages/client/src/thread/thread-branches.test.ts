import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { runFinished, textDelta } from '../../testing/log-builder.js';
import { createManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import { selectBranches } from './select-branches.js';
import type { ThreadSession } from './thread-session-api.js';

let platform: FakePlatform;
let plinth: Plinth;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  plinth = anotherTab();
});

const anotherTab = () =>
  createPlinth({ baseUrl: 'http://api', request: platform.request, ...createManualTiming() });

const ids = (session: ThreadSession) => session.getSnapshot().messages.map((message) => message.id);
const readings = () => platform.calls.filter((line) => line.endsWith('/messages')).length;
/** A run that has ended; the ids of its two messages end with its number. */
const exchange = (text: string) => {
  const run = platform.startRun('thr_1', text);
  platform.emit(run.messageId, runFinished());
  return run;
};

const open = () => openIn(plinth);
async function openIn(tab: Plinth): Promise<ThreadSession> {
  const session = tab.thread('thr_1');
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

describe('going through the branches', () => {
  const textOf = (session: ThreadSession) =>
    session.getSnapshot().messages.map((message) => (message.role === 'user' ? message.text : '-'));

  it('a message of the person that is edited is a branch beside it; in another tab as well', async () => {
    exchange('one');
    exchange('two');
    const [session, other] = [await open(), await openIn(anotherTab())];
    await session.edit('msg_u2', { text: 'a better two', agent: 'poster' });
    expect(textOf(session)).toEqual(['one', '-', 'a better two', '-']);
    for (const tab of [session, other])
      await eventually(() => {
        expect(ids(tab)).toEqual(['msg_u1', 'msg_a1', 'msg_u3', 'msg_a3']);
        expect(selectBranches(tab.getSnapshot(), 'msg_u3')).toEqual({
          position: 2,
          count: 2,
          previousId: 'msg_u2',
          nextId: null,
        });
      });
  });

  it('the very first message can be edited: the thread begins anew beside it', async () => {
    exchange('one');
    const session = await open();
    await session.edit('msg_u1', { text: 'another one', agent: 'poster' });
    await eventually(() =>
      expect(session.getSnapshot().messages[0]).toMatchObject({
        id: 'msg_u2',
        siblings: ['msg_u1', 'msg_u2'],
      }),
    );
  });

  it('a branch is shown up to its newest end, also one that this page has never seen', async () => {
    const first = exchange('one');
    exchange('two');
    exchange('three');
    platform.moveHead('thr_1', first.messageId);
    exchange('another two');
    const session = await open();
    const { previousId } = selectBranches(session.getSnapshot(), 'msg_u4') ?? {};
    await session.showBranch(previousId ?? '');
    await eventually(() =>
      expect(ids(session)).toEqual(['msg_u1', 'msg_a1', 'msg_u2', 'msg_a2', 'msg_u3', 'msg_a3']),
    );
  });

  it('an answer that is asked for once more stands in the place of the old one at once, as its sibling', async () => {
    exchange('one');
    exchange('two');
    const [session, other] = [await open(), await openIn(anotherTab())];
    const { messageId } = await session.retry('msg_a1');
    expect(ids(session)).toEqual(['msg_u1', messageId]);
    expect(selectBranches(session.getSnapshot(), messageId)).toMatchObject({ position: 2, count: 2 });
    platform.emit(messageId, textDelta(0, 0, 'Better.'), runFinished());
    for (const tab of [session, other])
      await eventually(() =>
        expect(tab.getSnapshot().messages).toMatchObject([
          { id: 'msg_u1' },
          {
            id: messageId,
            siblings: ['msg_a1', messageId],
            view: { status: 'completed', parts: [{ text: 'Better.' }] },
          },
        ]),
      );
  });

  it('a retry that is refused leaves the path as it is, and tells why', async () => {
    exchange('one');
    const session = await open();
    platform.refuseNext('retry', { status: 409, code: 'thread_busy' });
    await expect(session.retry('msg_a1')).rejects.toMatchObject({ code: 'thread_busy' });
    expect(session.getSnapshot()).toMatchObject({ sending: false, error: { code: 'thread_busy' } });
    expect(ids(session)).toEqual(['msg_u1', 'msg_a1']);
  });

  it('a fork is a thread of its own with the same path', async () => {
    exchange('one');
    exchange('two');
    const session = await open();
    const { id } = await session.fork('msg_a1', { title: 'Aside' });
    const fork = plinth.thread(id);
    fork.subscribe(() => undefined);
    await eventually(() => expect(ids(fork)).toEqual(['msg_u1', 'msg_a1']));
    await fork.send({ text: 'elsewhere', agent: 'poster' });
    expect([ids(session).length, ids(fork).length]).toEqual([4, 4]);
  });

  it('what is not on the path cannot be edited or retried, and a thread that is none yet has no branches', async () => {
    exchange('one');
    const session = await open();
    const unknown = { code: 'unknown_message' };
    await expect(session.edit('msg_a1', { text: 'x', agent: 'poster' })).rejects.toMatchObject(unknown);
    await expect(session.retry('msg_u1')).rejects.toMatchObject(unknown);
    await expect(session.retry('msg_a9')).rejects.toMatchObject(unknown);
    await expect(plinth.newThread().moveHead(null)).rejects.toMatchObject(unknown);
    expect(selectBranches(session.getSnapshot(), 'msg_u1')).toBeNull();
  });
});
