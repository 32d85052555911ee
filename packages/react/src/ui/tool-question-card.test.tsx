// @vitest-environment jsdom
import { type ChatMessage, emptyMessageView } from '@plinth/client';
import type { InterruptView } from '@plinth/protocol';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, draw, the, type, undraw } from './draw-for-test.js';
import { Providers, sessionForTest } from './session-for-test.js';
import { ToolQuestionCard } from './tool-question-card.js';

afterEach(undraw);

const INTERRUPT: Extract<InterruptView, { kind: 'frontend' }> = {
  id: 'int_1',
  callId: 'call_1',
  tool: 'read_file',
  title: 'Read a file',
  state: 'open',
  openedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: null,
  answeredBy: null,
  answeredAt: null,
  closedWhy: null,
  kind: 'frontend',
  handler: 'reader',
  arguments: { path: 'notes.txt' },
  lease: null,
};

function page(asks: boolean) {
  const [allowTool, denyTool] = [vi.fn(), vi.fn()];
  const session = Object.assign(sessionForTest(), { allowTool, denyTool });
  const message: ChatMessage = {
    id: 'msg_a1',
    key: 'msg_a1',
    parentId: null,
    siblings: ['msg_a1'],
    createdAt: INTERRUPT.openedAt,
    delivery: 'sent',
    role: 'assistant',
    view: { ...emptyMessageView('msg_a1', 'run_1'), status: 'interrupted', interrupts: [INTERRUPT] },
  };
  session.set({
    messages: [message],
    activeMessageId: 'msg_a1',
    toolQuestions: asks ? { int_1: true } : {},
  });
  const { box } = draw(
    <Providers>
      <ToolQuestionCard thread={session} interrupt={INTERRUPT} />
    </Providers>,
  );
  return { box, allowTool, denyTool };
}

test('the page asks before it does what the model wants of it, and shows with what', async () => {
  const { box, allowTool } = page(true);
  expect(the(box, 'h3').textContent).toBe('Read a file');
  expect(the(box, 'dd').textContent).toBe('notes.txt');
  await click(button(box, 'Allow'));
  expect(allowTool.mock.calls).toEqual([['int_1']]);
});

test('a no goes to the model with its reason', async () => {
  const { box, denyTool } = page(true);
  await click(button(box, 'Decline'));
  type(the(box, 'textarea'), 'it is private');
  await click(button(box, 'Decline'));
  expect(denyTool.mock.calls).toEqual([['int_1', 'it is private']]);
});

test('a page that is not the one to do it asks nothing', () => {
  expect(page(false).box.textContent).toBe('');
});
