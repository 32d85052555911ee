// @vitest-environment jsdom
import { type ChatMessage, emptyMessageView, PlinthClientError, type ThreadSession } from '@plinth/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { button, click, draw, fire, the, type, undraw } from './draw-for-test.js';
import { MessageItem } from './message-item.js';
import { Providers, type SessionForTest, sessionForTest } from './session-for-test.js';

afterEach(undraw);

const node = { parentId: null, createdAt: '2026-01-01T00:00:00.000Z', delivery: 'sent' } as const;
const question = (siblings = ['msg_u1']): ChatMessage => ({
  ...node,
  id: 'msg_u1',
  key: 'msg_u1',
  siblings,
  role: 'user',
  text: 'a poster',
});
const answer = (): ChatMessage => ({
  ...node,
  id: 'msg_a1',
  key: 'msg_a1',
  siblings: ['msg_a1'],
  role: 'assistant',
  view: { ...emptyMessageView('msg_a1', 'run_1'), status: 'completed', reason: 'final_answer' },
});

type Calls = Partial<Pick<ThreadSession, 'edit' | 'retry' | 'showBranch'>>;

function page(message: ChatMessage, calls: Calls, busy = false) {
  const session: SessionForTest = Object.assign(sessionForTest(), calls);
  session.set({ messages: [message] });
  return draw(
    <Providers>
      <MessageItem
        message={message}
        session={session}
        agent="poster"
        busy={busy}
        onOpenArtifact={undefined}
      />
    </Providers>,
  ).box;
}

const done = () => vi.fn(() => new Promise<never>(() => undefined));
const refused = (code: 'thread_busy' | 'network') =>
  vi.fn(() => Promise.reject(new PlinthClientError({ code, message: 'no' })));

describe('a message of the person', () => {
  test('is written anew in its place and sent to the agent of the chat', async () => {
    const edit = done();
    const box = page(question(), { edit });
    await click(button(box, 'Edit message'));
    expect(document.activeElement).toBe(the(box, 'textarea'));
    type(the(box, 'textarea'), ' a better poster ');
    await click(button(box, 'Send'));
    expect(edit.mock.calls).toEqual([['msg_u1', { text: 'a better poster', agent: 'poster' }]]);
    expect(box.querySelector('textarea')).toBeNull();
  });

  test('Escape leaves it as it was, and the keyboard is back on the button', async () => {
    const edit = done();
    const box = page(question(), { edit });
    await click(button(box, 'Edit message'));
    type(the(box, 'textarea'), 'something else');
    await fire(the(box, 'textarea'), new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(the(box, '.plinth-bubble').textContent).toBe('a poster');
    expect(document.activeElement).toBe(button(box, 'Edit message'));
    expect(edit).not.toHaveBeenCalled();
  });

  test('cannot be edited while a run is active', () => {
    expect(button(page(question(), {}, true), 'Edit message').disabled).toBe(true);
  });

  test('an edit that is refused says what to do', async () => {
    const box = page(question(), { edit: refused('thread_busy') });
    await click(button(box, 'Edit message'));
    type(the(box, 'textarea'), 'another');
    await click(button(box, 'Send'));
    expect(the(box, '[role="alert"]').textContent).toContain('Wait until the answer is complete');
  });
});

describe('versions of a message', () => {
  test('are counted, and the arrows lead to the one before and the one after', async () => {
    const showBranch = done();
    const box = page(question(['msg_u0', 'msg_u1', 'msg_u2']), { showBranch });
    expect(the(box, '.plinth-branches').textContent).toBe('2/3Version 2 of 3');
    await click(button(box, 'Previous version'));
    await click(button(box, 'Next version'));
    expect(showBranch.mock.calls).toEqual([['msg_u0'], ['msg_u2']]);
  });

  test('a message with one version has no arrows, and the first has none before it', () => {
    expect(page(question(), {}).querySelector('.plinth-branches')).toBeNull();
    undraw();
    const box = page(question(['msg_u1', 'msg_u2']), {});
    expect([button(box, 'Previous version').disabled, button(box, 'Next version').disabled]).toEqual([
      true,
      false,
    ]);
  });

  test('stay as they are while a run is active', () => {
    const box = page(question(['msg_u0', 'msg_u1']), {}, true);
    expect(button(box, 'Previous version').disabled).toBe(true);
  });
});

describe('an answer', () => {
  test('can be asked for once more; a refusal is told and gone with the next try', async () => {
    const retry = vi.fn<ThreadSession['retry']>();
    retry.mockRejectedValueOnce(new PlinthClientError({ code: 'network', message: 'no' }));
    retry.mockReturnValueOnce(new Promise(() => undefined));
    const box = page(answer(), { retry });
    await click(button(box, 'Answer again'));
    expect(the(box, '[role="alert"]').textContent).toContain('cannot be reached');
    await click(button(box, 'Answer again'));
    expect(box.querySelector('[role="alert"]')).toBeNull();
    expect(retry.mock.calls).toEqual([['msg_a1'], ['msg_a1']]);
  });
});
