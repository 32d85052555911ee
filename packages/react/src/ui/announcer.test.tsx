// @vitest-environment jsdom
import { type ChatMessage, emptyMessageView, initialThreadState, type ThreadState } from '@plinth/client';
import type { MessageView } from '@plinth/protocol';
import { afterEach, expect, test } from 'vitest';
import { Announcer } from './announcer.js';
import { draw, the, undraw } from './draw-for-test.js';
import { Providers } from './session-for-test.js';

afterEach(undraw);

function stateWith(part: Partial<MessageView>): ThreadState {
  const view = { ...emptyMessageView('msg_a1', 'run_1'), ...part };
  const isActive = view.status === 'running' || view.status === 'interrupted';
  const message: ChatMessage = {
    id: 'msg_a1',
    key: 'msg_a1',
    parentId: null,
    siblings: ['msg_a1'],
    createdAt: '2026-01-01T00:00:00.000Z',
    delivery: 'sent',
    role: 'assistant',
    view,
  };
  return {
    ...initialThreadState('thr_1'),
    phase: 'ready',
    messages: [message],
    activeMessageId: isActive ? 'msg_a1' : null,
  };
}

const text = (words: string, done = false): Partial<MessageView> => ({
  parts: [{ type: 'text', turn: 0, text: words, done }],
});

function speak(first: ThreadState = { ...initialThreadState('thr_1'), phase: 'ready' }) {
  const tell = (state: ThreadState) => (
    <Providers>
      <Announcer state={state} />
    </Providers>
  );
  const { box, redraw } = draw(tell(first));
  const region = the(box, '[aria-live="polite"]');
  const said: string[] = [];
  const seen = new Set<Element>();
  /** What a screen reader has read: what was added, once each. */
  const listen = () => {
    for (const piece of region.children) if (!seen.has(piece)) said.push(piece.textContent ?? '');
    for (const piece of region.children) seen.add(piece);
  };
  listen();
  return {
    region,
    said,
    show: (state: ThreadState) => {
      redraw(tell(state));
      listen();
    },
  };
}

const ended = (words: string): ThreadState =>
  stateWith({ status: 'completed', reason: 'final_answer', ...text(words, true) });
const FIRST = 'Your **poster** is ready and hangs.';

test('an answer is read while it is written, sentence by sentence, and then its end; nothing is read twice', () => {
  const { said, show } = speak();
  show(stateWith({ status: 'running' }));
  show(stateWith({ status: 'running', ...text('Your **poster** is') }));
  expect(said).toEqual([]);
  show(stateWith({ status: 'running', ...text(`${FIRST} It`) }));
  expect(said).toEqual(['Your poster is ready and hangs.']);
  show(stateWith({ status: 'running', ...text(`${FIRST} It has leaves.`) }));
  show(ended(`${FIRST} It has leaves.`));
  expect(said).toEqual(['Your poster is ready and hangs.', 'It has leaves.', 'Answer complete.']);
});

test('the whole of a long answer never stands in the region', () => {
  const { region, said, show } = speak();
  const sentences = Array.from(
    { length: 40 },
    (_, index) => `This is the sentence number ${index + 1} of it.`,
  );
  show(stateWith({ status: 'running' }));
  for (let count = 1; count <= 40; count += 1)
    show(stateWith({ status: 'running', ...text(`${sentences.slice(0, count).join(' ')} `) }));
  show(ended(sentences.join(' ')));
  expect(said).toEqual([...sentences, 'Answer complete.']);
  expect(region.children.length).toBeLessThan(10);
});

test('a turn that is begun anew is read anew, and one that goes on goes on', () => {
  const { said, show } = speak();
  show(stateWith({ status: 'running' }));
  show(stateWith({ status: 'running', ...text('The first try of an answer. Then') }));
  show(stateWith({ status: 'running' }));
  show(stateWith({ status: 'running', ...text('The second try of an answer. Then') }));
  expect(said).toEqual(['The first try of an answer.', 'The second try of an answer.']);
});

test('a run that is stopped says so, and one that fails is told by its message alone', () => {
  const stopped = speak();
  stopped.show(stateWith({ status: 'running' }));
  stopped.show(stateWith({ status: 'cancelled', reason: 'cancelled' }));
  expect(stopped.said).toEqual(['Stopped.']);
  const failed = speak();
  failed.show(stateWith({ status: 'running' }));
  failed.show(stateWith({ status: 'failed', reason: 'model_error' }));
  expect(failed.said).toEqual([]);
});

test('a thread that is opened later is not read out; of an answer under way, what comes from now on is', () => {
  expect(speak(ended('old')).said).toEqual([]);
  const { said, show } = speak({ ...initialThreadState('thr_1'), phase: 'loading' });
  const running = (words: string): ThreadState => stateWith({ status: 'running', ...text(words) });
  show(running('This was there before the page was. This'));
  show(running('This was there before the page was. This comes now, and is read. '));
  expect(said).toEqual(['This comes now, and is read.']);
});

test('nothing of an answer stays when another thread is shown', () => {
  const { region, said, show } = speak();
  show(stateWith({ status: 'running' }));
  show(stateWith({ status: 'running', ...text(`${FIRST} It`) }));
  expect(said).toHaveLength(1);
  show({ ...initialThreadState('thr_2'), phase: 'ready' });
  expect(region.textContent).toBe('');
});
