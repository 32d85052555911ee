import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { aComponentInterrupt, runFinished, textDelta } from '../../testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import type { ThreadSession } from './thread-session-api.js';
import type { ChatMessage } from './thread-state.js';

let platform: FakePlatform;
let plinth: Plinth;
let timing: ManualTiming;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  timing = createManualTiming();
  plinth = createPlinth({
    baseUrl: 'http://api',
    request: platform.request,
    now: timing.now,
    wait: timing.wait,
  });
});

const textOf = (message: ChatMessage) =>
  message.role === 'user'
    ? message.text
    : message.view.parts.map((part) => ('text' in part ? part.text : '')).join('');
const texts = (session: ThreadSession) =>
  session.getSnapshot().messages.map((message) => `${message.id}: ${textOf(message)}`);
const ready = (session: ThreadSession) =>
  eventually(() => expect(session.getSnapshot()).toMatchObject({ phase: 'ready', connection: 'live' }));

function listen(session: ThreadSession) {
  const states: ReturnType<ThreadSession['getSnapshot']>[] = [];
  return { states, leave: session.subscribe(() => states.push(session.getSnapshot())) };
}

describe('following a thread', () => {
  it('shows the page and goes on with the run that is active', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    platform.emit(messageId, textDelta(0, 0, 'With '));
    const session = plinth.thread('thr_1');
    listen(session);
    await ready(session);
    platform.emit(messageId, textDelta(0, 5, 'pleasure'));
    await eventually(() => expect(texts(session)).toEqual(['msg_u1: A poster', 'msg_a1: With pleasure']));
    expect(session.getSnapshot()).toMatchObject({
      activeMessageId: 'msg_a1',
      connection: 'live',
      error: null,
    });
  });

  it('any number of subscribers and askers share one stream per log', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    listen(plinth.thread('thr_1'));
    listen(plinth.thread('thr_1'));
    expect(plinth.thread('thr_1')).toBe(plinth.thread('thr_1'));
    await ready(plinth.thread('thr_1'));
    expect([platform.messageLog(messageId).opened(), platform.threadLog('thr_1').opened()]).toEqual([1, 1]);
  });

  it('closes its streams when nobody listens for a while, and goes on from its place when somebody does again', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    platform.emit(messageId, textDelta(0, 0, 'Half'));
    const session = plinth.thread('thr_1');
    const { leave } = listen(session);
    await eventually(() => expect(texts(session)).toContain('msg_a1: Half'));
    leave();
    listen(session).leave();
    expect(platform.messageLog(messageId).readers()).toBe(1);
    await timing.advance(1_000);
    expect([platform.messageLog(messageId).readers(), platform.threadLog('thr_1').readers()]).toEqual([0, 0]);
    expect(session.getSnapshot().connection).toBe('idle');
    expect(timing.waiting()).toBe(0);

    platform.emit(messageId, textDelta(0, 4, ' and half'));
    listen(session);
    await eventually(() => expect(texts(session)).toContain('msg_a1: Half and half'));
  });

  it('stays connected when somebody comes back at once', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    const session = plinth.thread('thr_1');
    const { leave } = listen(session);
    await ready(session);
    leave();
    listen(session);
    await timing.advance(1_000);
    expect([platform.messageLog(messageId).readers(), platform.messageLog(messageId).opened()]).toEqual([
      1, 1,
    ]);
  });

  it('a run of another tab shows up with its question, and the thread follows it', async () => {
    const session = plinth.thread('thr_1');
    listen(session);
    await ready(session);
    const { messageId } = platform.startRun('thr_1', 'From the other tab');
    platform.emit(messageId, textDelta(0, 0, 'Yes'));
    await eventually(() => expect(texts(session)).toEqual(['msg_u1: From the other tab', 'msg_a1: Yes']));
  });

  it('a run that starts while the page is read and before the stream is open is not missed', async () => {
    const release = platform.hold('/events');
    const session = plinth.thread('thr_1');
    listen(session);
    await eventually(() => expect(session.getSnapshot().phase).toBe('ready'));
    platform.startRun('thr_1', 'In between', { isAnnounced: false });
    release();
    await eventually(() => expect(texts(session)[0]).toBe('msg_u1: In between'));
  });

  it('a gap in the log of the thread is filled from the page', async () => {
    const session = plinth.thread('thr_1');
    listen(session);
    await ready(session);
    platform.startRun('thr_1', 'Unseen', { isAnnounced: false });
    platform.threadLog('thr_1').append({ type: 'gap', from: '1-0', to: '2-0' });
    await eventually(() => expect(texts(session)[0]).toBe('msg_u1: Unseen'));
  });

  it('ends following a message after its run has ended', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    const session = plinth.thread('thr_1');
    listen(session);
    await ready(session);
    platform.emit(messageId, runFinished());
    await eventually(() => expect(session.getSnapshot().activeMessageId).toBeNull());
    await eventually(() => expect(platform.messageLog(messageId).readers()).toBe(0));
    expect(session.getSnapshot().connection).toBe('live');
  });

  it('a cut stream is reopened behind the last entry, and nothing repeats', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    platform.emit(messageId, textDelta(0, 0, 'Hel'));
    const session = plinth.thread('thr_1');
    listen(session);
    await eventually(() => expect(texts(session)).toContain('msg_a1: Hel'));
    platform.messageLog(messageId).cut();
    await eventually(() => expect(session.getSnapshot().connection).toBe('reconnecting'));
    platform.emit(messageId, textDelta(0, 3, 'lo'));
    await timing.advance(250);
    await eventually(() => expect(texts(session)).toContain('msg_a1: Hello'));
  });

  it('a hole that stays costs one new connection, and does not hold up what else happens', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    const session = plinth.thread('thr_1');
    listen(session);
    await ready(session);
    platform.emit(messageId, textDelta(0, 0, 'ab'), textDelta(0, 4, 'e'));
    await eventually(() => expect(session.getSnapshot().connection).toBe('reconnecting'));
    expect(texts(session)).toContain('msg_a1: ab');
    platform.emit(
      messageId,
      { type: 'interrupt.opened', interrupt: aComponentInterrupt() },
      textDelta(0, 5, 'f'),
    );
    await timing.advance(250);
    await eventually(() =>
      expect(session.getSnapshot().messages[1]).toMatchObject({ view: { interrupts: [{ state: 'open' }] } }),
    );
    platform.emit(messageId, { type: 'text.done', turn: 0, text: 'abcdef' });
    await eventually(() => expect(texts(session)).toContain('msg_a1: abcdef'));
    expect(platform.messageLog(messageId).opened()).toBe(2);
  });

  it('a thread that does not exist fails with its code, and reload tries again', async () => {
    const session = plinth.thread('thr_9');
    listen(session);
    await eventually(() =>
      expect(session.getSnapshot()).toMatchObject({
        phase: 'failed',
        error: { code: 'not_found' },
        connection: 'idle',
      }),
    );
    platform.addThread('thr_9');
    session.reload();
    await ready(session);
    expect(session.getSnapshot().error).toBeNull();
  });

  it('a server that is away shows as an error and is asked again until it answers', async () => {
    platform.refuseNext('/messages', { status: 503, code: 'not_ready' });
    const session = plinth.thread('thr_1');
    listen(session);
    await eventually(() => expect(session.getSnapshot().error).toMatchObject({ code: 'not_ready' }));
    expect(session.getSnapshot().phase).toBe('loading');
    await timing.advance(250);
    await ready(session);
    expect(session.getSnapshot().error).toBeNull();
  });

  it('two threads never share a message', async () => {
    platform.addThread('thr_2');
    const [one, two] = [plinth.thread('thr_1'), plinth.thread('thr_2')];
    const first = platform.startRun('thr_1', 'one');
    const second = platform.startRun('thr_2', 'two');
    const release = platform.hold('thr_1/messages');
    listen(one).leave();
    listen(two);
    platform.emit(first.messageId, textDelta(0, 0, 'uno'));
    platform.emit(second.messageId, textDelta(0, 0, 'due'));
    release();
    await eventually(() => expect(texts(two)).toEqual(['msg_u2: two', 'msg_a2: due']));
    await eventually(() => expect(texts(one)).toEqual(['msg_u1: one', 'msg_a1: uno']));
  });
});
