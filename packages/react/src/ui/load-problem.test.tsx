// @vitest-environment jsdom
import { initialThreadState, PlinthClientError, type ThreadState } from '@plinth/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ThreadHandle } from '../use-thread.js';
import { button, click, draw, the, undraw } from './draw-for-test.js';
import { LoadProblem } from './load-problem.js';
import { problemKind } from './problem-kind.js';
import { Providers } from './session-for-test.js';

afterEach(undraw);

const refusal = (status: number, code = 'x') => new PlinthClientError({ code, message: 'm', status });

function shown(state: Partial<ThreadState>) {
  const reload = vi.fn();
  const thread = { state: { ...initialThreadState('thr_1'), ...state }, reload } as unknown as ThreadHandle;
  const { box } = draw(
    <Providers>
      <LoadProblem thread={thread} />
    </Providers>,
  );
  return { box, reload };
}

describe('what went wrong is told by what the person can do', () => {
  test.each([
    ['network', 0, 'offline'],
    ['timeout', 0, 'slow'],
    ['auth_failed', 0, 'signedOut'],
    ['unauthenticated', 401, 'signedOut'],
    ['forbidden', 403, 'forbidden'],
    ['not_found', 404, 'notFound'],
    ['attachment_not_found', 422, 'fileGone'],
    ['attachment_too_large', 413, 'tooLarge'],
    ['rate_limited', 429, 'tooMany'],
    ['internal_error', 500, 'unavailable'],
    ['a_code_of_tomorrow', 418, 'refused'],
  ] as const)('%s (%i) is %s', (code, status, kind) => expect(problemKind({ code, status })).toBe(kind));
});

describe('a conversation that is not there', () => {
  test('while it is tried again: the page says why it takes so long', () => {
    const { box } = shown({ phase: 'loading', error: refusal(0, 'network') });
    expect(the(box, '[role="alert"]').textContent).toBe(
      'The server cannot be reached. Check your connection. Trying again by itself.',
    );
  });

  test('that was refused for good: what to do, and the way to try it', async () => {
    const { box, reload } = shown({ phase: 'failed', error: refusal(404, 'not_found') });
    expect(the(box, '[role="alert"]').textContent).toContain('start a new one');
    await click(button(box, 'Try again'));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('that is not followed any more says so', () => {
    const { box } = shown({ phase: 'ready', connection: 'idle', error: refusal(401, 'unauthenticated') });
    expect(the(box, '[role="alert"]').textContent).toContain('not signed in any more');
  });

  test('what is told elsewhere is not told here: a lost connection, and a message that was not sent', () => {
    const error = refusal(0, 'network');
    expect(shown({ phase: 'ready', connection: 'reconnecting', error }).box.textContent).toBe('');
    const message = { error } as ThreadState['messages'][number];
    expect(shown({ phase: 'ready', connection: 'idle', error, messages: [message] }).box.textContent).toBe(
      '',
    );
  });
});
