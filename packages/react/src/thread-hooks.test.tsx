// @vitest-environment jsdom

import { createPlinth, type Plinth } from '@plinth/client';
import { act, type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../client/testing/eventually.js';
import { createFakePlatform, type FakePlatform } from '../../client/testing/fake-platform.js';
import { aComponentInterrupt, anArtifact, runFinished, textDelta } from '../../client/testing/log-builder.js';
import { createManualTiming, type ManualTiming } from '../../client/testing/manual-timing.js';
import {
  PlinthProvider,
  type ThreadHandle,
  useArtifacts,
  useInterrupts,
  useMessages,
  useRun,
  useThread,
  useThreads,
} from './index.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let platform: FakePlatform;
let plinth: Plinth;
let timing: ManualTiming;
let root: Root;
let box: HTMLElement;

beforeEach(() => {
  platform = createFakePlatform();
  platform.addThread('thr_1');
  platform.addThread('thr_2');
  timing = createManualTiming();
  plinth = createPlinth({ baseUrl: '', request: platform.request, now: timing.now, wait: timing.wait });
  box = document.createElement('div');
  root = createRoot(box);
});
afterEach(() => act(() => root.unmount()));

const draw = (node: ReactNode) =>
  act(() => root.render(<PlinthProvider plinth={plinth}>{node}</PlinthProvider>));
const drawStrict = (node: ReactNode) => draw(<StrictMode>{node}</StrictMode>);
/** Lets React finish what it has to draw, until the check holds. */
const until = (check: () => void) =>
  eventually(async () => {
    await act(async () => undefined);
    check();
  });
const shows = (text: string) => until(() => expect(box.textContent).toBe(text));

function Chat({
  threadId,
  onHandle,
}: {
  threadId: string | null;
  onHandle?: (handle: ThreadHandle) => void;
}) {
  const handle = useThread(threadId);
  onHandle?.(handle);
  return handle.state.messages.map((message) => (
    <p key={message.key}>
      {message.role === 'user'
        ? message.text
        : message.view.parts.map((part) => ('text' in part ? part.text : '')).join('')}
      {message.delivery === 'sent' ? '' : ` (${message.delivery})`}
    </p>
  ));
}

const Count = () => <i>{useMessages('thr_1').length}</i>;
const Phase = () => useThread('thr_1').state.phase;
const Titles = () => `${useArtifacts('thr_1').map((artifact) => artifact.title)}`;
const Threads = () => `${useThreads().threads.map((thread) => thread.id)}`;

function Status({ onDraw }: { onDraw(): void }) {
  const [run, interrupts] = [useRun('thr_1'), useInterrupts('thr_1')];
  onDraw();
  return `${run?.status} ${interrupts.map((interrupt) => interrupt.id)}`;
}

describe('useThread', () => {
  it('S5: in StrictMode, three components on one thread: one stream per log, closed after they are gone', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    platform.emit(messageId, textDelta(0, 0, '.'));
    drawStrict([<Chat key="a" threadId="thr_1" />, <Chat key="b" threadId="thr_1" />, <Count key="c" />]);
    await shows('A poster.A poster.2');
    expect([platform.messageLog(messageId).opened(), platform.threadLog('thr_1').opened()]).toEqual([1, 1]);
    act(() => root.render(null));
    await timing.advance(1_000);
    expect([platform.messageLog(messageId).readers(), platform.threadLog('thr_1').readers()]).toEqual([0, 0]);
  });

  it('shows a sent message at once, and its element survives the id of the server', async () => {
    let handle: ThreadHandle | null = null;
    drawStrict(<Chat threadId="thr_1" onHandle={(next) => (handle = next)} />);
    await until(() => expect(handle?.state.phase).toBe('ready'));
    const release = platform.hold('POST');
    let sent: Promise<unknown> = Promise.resolve();
    act(() => {
      sent = handle?.send({ text: 'A poster', agent: 'poster' }) ?? sent;
    });
    await shows('A poster (sending)');
    const element = box.querySelector('p');
    release();
    await act(() => sent);
    platform.emit('msg_a1', textDelta(0, 0, 'Yes'), runFinished());
    await shows('A posterYes');
    expect(box.querySelector('p')).toBe(element);
  });

  it('a new thread keeps its state and its elements when the host passes the id that it got', async () => {
    let handle: ThreadHandle | null = null;
    const onHandle = (next: ThreadHandle) => (handle = next);
    drawStrict(<Chat threadId={null} onHandle={onHandle} />);
    const sent = await act(async () => handle?.send({ text: 'A poster', agent: 'poster' }));
    const element = box.querySelector('p');
    drawStrict(<Chat threadId={sent?.threadId ?? ''} onHandle={onHandle} />);
    expect(box.querySelector('p')).toBe(element);
    platform.emit('msg_a1', textDelta(0, 0, 'Yes'));
    await shows('A posterYes');
    expect(platform.messageLog('msg_a1').opened()).toBe(1);
  });

  it('S8: switching between threads never shows a message of the other one', async () => {
    for (const threadId of ['thr_1', 'thr_2'])
      platform.emit(platform.startRun(threadId, threadId).messageId, textDelta(0, 0, ` of ${threadId}`));
    const seen: string[] = [];
    const onHandle = ({ state }: ThreadHandle) =>
      seen.push(
        ...state.messages.map(
          (message) => `${state.threadId} shows ${message.role === 'user' ? message.text : message.id}`,
        ),
      );
    const release = platform.hold('/messages');
    for (const threadId of ['thr_1', 'thr_2', 'thr_1', 'thr_2'])
      drawStrict(<Chat threadId={threadId} onHandle={onHandle} />);
    release();
    await shows('thr_2 of thr_2');
    drawStrict(<Chat threadId="thr_1" onHandle={onHandle} />);
    await shows('thr_1 of thr_1');
    expect([...new Set(seen)].sort()).toEqual([
      'thr_1 shows msg_a1',
      'thr_1 shows thr_1',
      'thr_2 shows msg_a2',
      'thr_2 shows thr_2',
    ]);
  });

  it('a failed send keeps the text and tells the error', async () => {
    let handle: ThreadHandle | null = null;
    drawStrict(<Chat threadId="thr_1" onHandle={(next) => (handle = next)} />);
    platform.refuseNext('POST', { status: 503, code: 'not_ready' });
    await act(async () => handle?.send({ text: 'A poster', agent: 'poster' }).catch(() => undefined));
    await shows('A poster (failed)');
    expect((handle as ThreadHandle | null)?.state.error).toMatchObject({ code: 'not_ready' });
  });

  it('on a server draws the state before anything was loaded, and asks for nothing', () => {
    const html = renderToString(
      <PlinthProvider plinth={plinth}>
        <Phase />
      </PlinthProvider>,
    );
    expect([html, platform.calls]).toEqual(['loading', []]);
  });

  it('without a provider says what is missing', () => {
    expect(() => renderToString(<Chat threadId="thr_1" />)).toThrow('<PlinthProvider');
  });
});

describe('the parts of a thread', () => {
  it('the run and the open interrupts do not draw again while text streams in', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    platform.emit(messageId, { type: 'interrupt.opened', interrupt: aComponentInterrupt() });
    const drawn = vi.fn();
    draw([<Status key="a" onDraw={drawn} />, <Chat key="b" threadId="thr_1" />]);
    await shows('queued int_1A poster');
    drawn.mockClear();
    platform.emit(messageId, textDelta(0, 0, '!'), textDelta(0, 1, '!'));
    await shows('queued int_1A poster!!');
    expect(drawn).not.toHaveBeenCalled();
    platform.emit(messageId, runFinished());
    await shows('completed A poster!!');
  });

  it('artifacts of all messages, as they are made', async () => {
    const { messageId } = platform.startRun('thr_1', 'A poster');
    draw(<Titles />);
    platform.emit(messageId, { type: 'artifact.created', artifact: anArtifact() });
    await shows('Poster');
  });

  it('the threads of the end user', async () => {
    drawStrict(<Threads />);
    await shows('thr_1,thr_2');
  });
});
