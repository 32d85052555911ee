import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../testing/fake-platform.js';
import { runFinished, textDelta } from '../../testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../testing/manual-timing.js';
import { createPlinth } from '../create-plinth.js';
import type { Plinth } from '../plinth.js';
import type { ThreadSession } from './thread-session-api.js';
import type { ChatMessage, ThreadState } from './thread-state.js';

const INPUT = { text: 'A poster', agent: 'poster' };

let platform: FakePlatform;
let plinth: Plinth;
let timing: ManualTiming;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  timing = createManualTiming();
  plinth = createPlinth({ baseUrl: '', request: platform.request, now: timing.now, wait: timing.wait });
});

const shown = (state: ThreadState) =>
  state.messages.map(({ id, role, delivery }) => `${id} ${role} ${delivery}`);

async function open(session: ThreadSession): Promise<ThreadState[]> {
  const states: ThreadState[] = [];
  session.subscribe(() => states.push(session.getSnapshot()));
  if (session.getSnapshot().threadId)
    await eventually(() =>
      expect(session.getSnapshot()).toMatchObject({ phase: 'ready', connection: 'live' }),
    );
  return states;
}

describe('sending a message', () => {
  it('shows it at once; the server id takes its place under the same key, never twice', async () => {
    const session = plinth.thread('thr_1');
    const states = await open(session);
    const release = platform.hold('POST');
    const sent = session.send(INPUT);
    expect(session.getSnapshot()).toMatchObject({
      sending: true,
      messages: [{ text: 'A poster', delivery: 'sending' }],
    });
    const key = session.getSnapshot().messages[0]?.key;
    release();
    await expect(sent).resolves.toMatchObject({ threadId: 'thr_1', messageId: 'msg_a1' });
    platform.emit('msg_a1', textDelta(0, 0, 'Yes'), runFinished());
    await eventually(() => expect(session.getSnapshot().activeMessageId).toBeNull());
    expect(shown(session.getSnapshot())).toEqual(['msg_u1 user sent', 'msg_a1 assistant sent']);
    expect(session.getSnapshot().messages[0]?.key).toBe(key);
    const users = states.map((state) => state.messages.filter((message) => message.role === 'user').length);
    expect(Math.max(...users)).toBe(1);
  });

  it('the news of the own run, arriving before its response, does not show the message twice', async () => {
    const session = plinth.thread('thr_1');
    const states = await open(session);
    const pages = () => platform.calls.filter((call) => call.endsWith('/messages')).length;
    const pagesBefore = pages();
    const release = platform.hold('POST', 'response');
    const sent = session.send(INPUT);
    await eventually(() => expect(platform.threadLog('thr_1').entries).toHaveLength(1));
    await timing.advance(0);
    release();
    await sent;
    await eventually(() => expect(platform.messageLog('msg_a1').opened()).toBe(1));
    expect(Math.max(...states.map((state) => state.messages.length))).toBe(2);
    expect(pages()).toBe(pagesBefore);
  });

  it('a page that was read during a send is laid under it without a double', async () => {
    platform.startRun('thr_1', 'Earlier');
    const session = plinth.thread('thr_1');
    const states: ThreadState[] = [];
    const releasePage = platform.hold('GET /v1/threads/thr_1/messages');
    const releaseSend = platform.hold('POST', 'response');
    session.subscribe(() => states.push(session.getSnapshot()));
    const sent = session.send(INPUT);
    await eventually(() => expect(platform.threadLog('thr_1').entries).toHaveLength(2));
    releasePage();
    await timing.advance(0);
    releaseSend();
    await sent;
    await eventually(() =>
      expect(shown(session.getSnapshot())).toEqual([
        'msg_u1 user sent',
        'msg_a1 assistant sent',
        'msg_u2 user sent',
        'msg_a2 assistant sent',
      ]),
    );
    const isCopy = (message: ChatMessage) => message.role === 'user' && message.text === 'A poster';
    expect(Math.max(...states.map((state) => state.messages.filter(isCopy).length))).toBe(1);
  });

  it('a page that was read before a send, and arrives after it, takes nothing away', async () => {
    platform.startRun('thr_1', 'Earlier');
    const session = plinth.thread('thr_1');
    const releasePage = platform.hold('GET /v1/threads/thr_1/messages', 'response');
    const states: ThreadState[] = [];
    session.subscribe(() => states.push(session.getSnapshot()));
    await timing.advance(0);
    await session.send(INPUT);
    states.length = 0;
    releasePage();
    await eventually(() => expect(session.getSnapshot().phase).toBe('ready'));
    const expected = ['msg_u1', 'msg_a1', 'msg_u2', 'msg_a2'];
    expect(session.getSnapshot().messages.map((message) => message.id)).toEqual(expected);
    for (const { messages } of states) expect(messages.map((message) => message.id)).toContain('msg_u2');
  });

  it('that fails keeps its text, tells why, and is sent again under the same idempotency key', async () => {
    const session = plinth.thread('thr_1');
    await open(session);
    platform.refuseNext('POST', 'no response');
    await expect(session.send(INPUT)).rejects.toMatchObject({ code: 'network' });
    const { messages, error, sending } = session.getSnapshot();
    expect([messages[0]?.delivery, error?.code, sending]).toEqual(['failed', 'network', false]);
    await session.resend(messages[0]?.key ?? '');
    expect(shown(session.getSnapshot())).toEqual(['msg_u1 user sent', 'msg_a1 assistant sent']);
    expect(session.getSnapshot().error).toBeNull();
    const keys = platform.bodies.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  it('whose response was lost is found again when it is resent, not doubled', async () => {
    const session = plinth.thread('thr_1');
    await open(session);
    platform.refuseNext('POST', 'lost response');
    await expect(session.send(INPUT)).rejects.toMatchObject({ code: 'network' });
    await eventually(() => expect(shown(session.getSnapshot())).toHaveLength(3));
    await session.resend(
      session.getSnapshot().messages.find((message) => message.delivery === 'failed')?.key ?? '',
    );
    expect(shown(session.getSnapshot())).toEqual(['msg_u1 user sent', 'msg_a1 assistant sent']);
  });

  it('that failed can be taken away', async () => {
    const session = plinth.thread('thr_1');
    await open(session);
    platform.refuseNext('POST', { status: 409, code: 'thread_busy' });
    await expect(session.send({ ...INPUT, onBusy: 'reject' })).rejects.toMatchObject({
      code: 'thread_busy',
      status: 409,
    });
    session.discard(session.getSnapshot().messages[0]?.key ?? '');
    expect(session.getSnapshot()).toMatchObject({ messages: [], error: null });
  });

  it('while another is being sent is refused, and nothing is posted', async () => {
    const session = plinth.thread('thr_1');
    await open(session);
    const first = session.send(INPUT);
    await expect(session.send(INPUT)).rejects.toMatchObject({ code: 'send_in_progress' });
    await first;
    expect(platform.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  it('gives up after 30 s without a response', async () => {
    const session = plinth.thread('thr_1');
    await open(session);
    platform.hold('POST');
    const sent = session.send(INPUT);
    const refused = expect(sent).rejects.toMatchObject({ code: 'timeout' });
    await timing.advance(30_000);
    await refused;
    expect(session.getSnapshot().messages[0]?.delivery).toBe('failed');
  });
});

describe('a new thread', () => {
  it('is made by its first send, and is then found under its id with the same state', async () => {
    const session = plinth.newThread();
    expect(session.getSnapshot().phase).toBe('new');
    let found: ThreadSession | null = null;
    session.subscribe(() => {
      const { threadId } = session.getSnapshot();
      if (threadId) found ??= plinth.thread(threadId);
    });
    const { threadId } = await session.send(INPUT);
    expect(found).toBe(session);
    expect(session.getSnapshot()).toMatchObject({ threadId, phase: 'ready', activeMessageId: 'msg_a1' });
    platform.emit('msg_a1', textDelta(0, 0, 'Yes'));
    await eventually(() =>
      expect(session.getSnapshot().messages[1]).toMatchObject({ view: { parts: [{ text: 'Yes' }] } }),
    );
  });

  it('stays new when its first send fails', async () => {
    const session = plinth.newThread();
    platform.refuseNext('POST', { status: 403, code: 'forbidden' });
    await expect(session.send(INPUT)).rejects.toMatchObject({ code: 'forbidden' });
    expect(session.getSnapshot()).toMatchObject({
      threadId: null,
      phase: 'new',
      messages: [{ delivery: 'failed' }],
    });
  });

  it('appears in a list of threads that is shown', async () => {
    plinth.threads.subscribe(() => undefined);
    await eventually(() => expect(plinth.threads.getSnapshot().phase).toBe('ready'));
    const { threadId } = await plinth.newThread().send(INPUT);
    await eventually(() =>
      expect(plinth.threads.getSnapshot().threads.map((thread) => thread.id)).toContain(threadId),
    );
  });
});

describe('cancelling', () => {
  it('asks the server to stop the active run', async () => {
    const { runId } = platform.startRun('thr_1', 'A poster');
    const session = plinth.thread('thr_1');
    await open(session);
    await session.cancel();
    expect(platform.calls).toContain(`POST /v1/runs/${runId}/cancel`);
  });

  it('a run that has ended meanwhile is no error; without a run nothing is asked', async () => {
    platform.startRun('thr_1', 'A poster');
    const session = plinth.thread('thr_1');
    await open(session);
    platform.refuseNext('cancel', { status: 409, code: 'run_already_ended' });
    await expect(session.cancel()).resolves.toBeUndefined();
    await expect(plinth.newThread().cancel()).resolves.toBeUndefined();
  });
});
