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
  return { ...initialThreadState('thr_1'), messages: [message], activeMessageId: isActive ? 'msg_a1' : null };
}

const text = (words: string, done = false): Partial<MessageView> => ({
  parts: [{ type: 'text', turn: 0, text: words, done }],
});

function speak() {
  const tell = (state: ThreadState) => (
    <Providers>
      <Announcer state={state} />
    </Providers>
  );
  const { box, redraw } = draw(tell(stateWith({ status: 'running' })));
  return { status: the(box, '[role="status"]'), show: (state: ThreadState) => redraw(tell(state)) };
}

test('an answer that streams in is read once, when it is complete, and without its marks', () => {
  const { status, show } = speak();
  show(stateWith({ status: 'running', ...text('Your **poster**') }));
  show(stateWith({ status: 'running', ...text('Your **poster** is') }));
  expect(status.textContent).toBe('');
  show(
    stateWith({
      status: 'completed',
      reason: 'final_answer',
      ...text('Your **poster** is ready:\n```js\ncode\n```', true),
    }),
  );
  expect(status.textContent).toBe('The assistant has answered. Your poster is ready:');
});

test('a run that ends otherwise says how', () => {
  const { status, show } = speak();
  show(stateWith({ status: 'cancelled', reason: 'cancelled' }));
  expect(status.textContent).toBe('Stopped.');
});

test('a thread that is opened later is not read out', () => {
  const ended = stateWith({ status: 'completed', reason: 'final_answer', ...text('old', true) });
  const { box } = draw(
    <Providers>
      <Announcer state={ended} />
    </Providers>,
  );
  expect(the(box, '[role="status"]').textContent).toBe('');
});
