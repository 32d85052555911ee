import type { StartRunResponse, ThreadMessage } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AT, aComponentInterrupt, anArtifact } from '../../testing/log-builder.js';
import { PlinthClientError } from '../errors/plinth-client-error.js';
import { emptyMessageView } from '../message/empty-message-view.js';
import { reduceThread } from './reduce-thread.js';
import { selectArtifacts, selectOpenInterrupts, selectRun } from './select-thread.js';
import type { ThreadAction } from './thread-action.js';
import { initialThreadState, type ThreadState } from './thread-state.js';

const START = initialThreadState('thr_1');
const error = new PlinthClientError({ code: 'network', message: 'No connection.' });

const user = (n: number): ThreadMessage => ({
  id: `u${n}`,
  role: 'user',
  text: `question ${n}`,
  parentId: null,
  siblings: [`u${n}`],
  createdAt: AT,
});
const assistant = (n: number, changes: Partial<ReturnType<typeof emptyMessageView>> = {}): ThreadMessage => {
  const view = { ...emptyMessageView(`a${n}`, `run_${n}`), ...changes };
  return { id: `a${n}`, role: 'assistant', view, parentId: `u${n}`, siblings: [`a${n}`], createdAt: AT };
};
const accepted = (n: number): StartRunResponse => ({
  runId: `run_${n}`,
  messageId: `a${n}`,
  threadId: 'thr_1',
  userMessageId: `u${n}`,
});
const loaded = (items: ThreadMessage[], nextCursor: string | null = null): ThreadAction => ({
  type: 'page.loaded',
  page: { items, nextCursor },
});

const after = (...actions: ThreadAction[]): ThreadState => actions.reduce(reduceThread, START);
const ids = (state: ThreadState) => state.messages.map((message) => message.id);

describe('loading', () => {
  it('the first page makes the thread ready', () => {
    const state = after(
      { type: 'load.failed', error, final: false },
      loaded([user(1), assistant(1)], 'older'),
    );
    expect(state).toMatchObject({ phase: 'ready', error: null, olderCursor: 'older', activeMessageId: 'a1' });
  });

  it('a refusal for good fails the thread; a passing one only tells', () => {
    expect(after({ type: 'load.failed', error, final: false })).toMatchObject({ phase: 'loading', error });
    expect(after({ type: 'load.failed', error, final: true })).toMatchObject({ phase: 'failed', error });
    expect(after({ type: 'load.failed', error, final: true }, { type: 'load.restarted' })).toMatchObject({
      phase: 'loading',
      error: null,
    });
    expect(after(loaded([]), { type: 'load.failed', error, final: true }).phase).toBe('ready');
  });

  it('older messages go before those that are here, and a new first page keeps them', () => {
    const older: ThreadAction = {
      type: 'older.loaded',
      page: { items: [user(1), assistant(1)], nextCursor: null },
    };
    const state = after(
      loaded([user(2), assistant(2)], 'older'),
      older,
      loaded([user(2), assistant(2), user(3)], 'older'),
    );
    expect(ids(state)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3']);
    expect(state.olderCursor).toBeNull();
  });

  it('a page that does not join what is here replaces it', () => {
    const state = after(loaded([user(1), assistant(1)]), loaded([user(8), assistant(8)], 'older'));
    expect([ids(state), state.olderCursor]).toEqual([['u8', 'a8'], 'older']);
  });

  it('a page tells new siblings of a message that is here already, and changes nothing else of it', () => {
    const state = after(loaded([user(1), assistant(1, { status: 'completed' })]));
    const page = [user(1), { ...assistant(1), siblings: ['a1', 'a2'] }];
    const next = reduceThread(state, loaded(page));
    expect(next.messages[0]).toBe(state.messages[0]);
    expect(next.messages[1]).toEqual({ ...state.messages[1], siblings: ['a1', 'a2'] });
  });

  it('a page that is older than the end of a run does not take the end back', () => {
    const view = { ...emptyMessageView('a1', 'run_1'), status: 'completed' } as const;
    const ended = after(loaded([user(1), assistant(1)]), {
      type: 'message.advanced',
      log: { view, cursor: '1-9' },
    });
    expect(
      reduceThread(ended, loaded([user(1), assistant(1, { status: 'running' })])).activeMessageId,
    ).toBeNull();
  });

  it('a page never takes a followed message back, but brings the end of one that is not', () => {
    const live = { ...emptyMessageView('a1', 'run_1'), status: 'running' } as const;
    const advanced: ThreadAction = { type: 'message.advanced', log: { view: live, cursor: '1-4' } };
    const followed = after(loaded([user(1), assistant(1)]), advanced);
    expect(reduceThread(followed, loaded([user(1), assistant(1)])).messages[1]).toMatchObject({ view: live });
    expect(
      reduceThread(followed, loaded([user(1), assistant(1, { status: 'cancelled' })])).activeMessageId,
    ).toBeNull();
  });
});

describe('sending', () => {
  const started: ThreadAction = { type: 'send.started', key: 'local-1', text: 'question 1', at: AT };

  it('in whatever order send, response and pages come, no message is there twice and none is lost', () => {
    const page = loaded([user(1), assistant(1)]);
    const accept: ThreadAction = { type: 'send.accepted', key: 'local-1', response: accepted(1), at: AT };
    const fail: ThreadAction = { type: 'send.failed', key: 'local-1', error };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(page, fail, started), { maxLength: 5 }), (between) => {
        const state = [started, ...between, started, accept, page].reduce(reduceThread, START);
        expect(ids(state)).toEqual(['u1', 'a1']);
        expect(state.messages[0]).toMatchObject({ key: 'local-1', delivery: 'sent' });
      }),
    );
  });

  it('clears the last error, and a failure sets the new one', () => {
    const failed = after(started, { type: 'send.failed', key: 'local-1', error });
    expect(failed).toMatchObject({ sending: false, error, messages: [{ error }] });
    expect(reduceThread(failed, loaded([])).error).toBe(error);
    expect(reduceThread(failed, started)).toMatchObject({
      sending: true,
      error: null,
      messages: [{ delivery: 'sending' }],
    });
    expect(reduceThread(failed, started).messages[0]?.error).toBeUndefined();
  });
});

describe('what did not change keeps its identity', () => {
  it('the state as a whole', () => {
    const state = after(loaded([user(1), assistant(1)]));
    const view = state.messages[1]?.role === 'assistant' ? state.messages[1].view : emptyMessageView('', '');
    expect(reduceThread(state, { type: 'message.advanced', log: { view, cursor: null } })).toBe(state);
    expect(reduceThread(state, { type: 'connection.changed', connection: 'idle' })).toBe(state);
    expect(
      reduceThread(state, {
        type: 'message.advanced',
        log: { view: emptyMessageView('a9', 'r'), cursor: '1-1' },
      }),
    ).toBe(state);
  });

  it('the other messages of a thread while one grows', () => {
    const state = after(loaded([user(1), assistant(1)]));
    const view = { ...emptyMessageView('a1', 'run_1'), status: 'running' } as const;
    const next = reduceThread(state, { type: 'message.advanced', log: { view, cursor: '1-1' } });
    expect(next.messages[0]).toBe(state.messages[0]);
    expect(next.cursors).toEqual({ a1: '1-1' });
  });

  it('the cursor of an ended message is dropped', () => {
    const view = { ...emptyMessageView('a1', 'run_1'), status: 'completed' } as const;
    expect(
      after(loaded([user(1), assistant(1)]), { type: 'message.advanced', log: { view, cursor: '1-9' } })
        .cursors,
    ).toEqual({});
  });
});

describe('selecting', () => {
  it('the run is the active one, or else the last', () => {
    expect(selectRun(START)).toBeNull();
    expect(selectRun(after(loaded([assistant(1, { status: 'failed' }), assistant(2)])))).toMatchObject({
      messageId: 'a2',
      active: true,
    });
    const ended = after(loaded([assistant(1, { status: 'completed', reason: 'final_answer' })]));
    expect(selectRun(ended)).toMatchObject({ messageId: 'a1', active: false, reason: 'final_answer' });
  });

  it('open interrupts are those of the active run', () => {
    const answered = aComponentInterrupt({ id: 'int_2', state: 'answered' });
    const old = assistant(1, { status: 'cancelled', interrupts: [aComponentInterrupt({ id: 'int_0' })] });
    const state = after(loaded([old, assistant(2, { interrupts: [answered, aComponentInterrupt()] })]));
    expect(selectOpenInterrupts(state).map((interrupt) => interrupt.id)).toEqual(['int_1']);
  });

  it('artifacts come newest first, each in its newest version', () => {
    const first = assistant(1, { artifacts: [anArtifact(), anArtifact({ id: 'art_2' })] });
    const second = assistant(2, {
      artifacts: [anArtifact({ version: 2, createdAt: '2026-01-02T00:00:00.000Z' })],
    });
    expect(
      selectArtifacts(after(loaded([first, second]))).map(({ id, version }) => `${id} v${version}`),
    ).toEqual(['art_1 v2', 'art_2 v1']);
  });

  it('a version that the thread tells of is the newest one; an older one, told again, is no news', () => {
    const author = { kind: 'end_user', id: 'ada' } as const;
    const told = (version: number): ThreadAction => ({
      type: 'artifact.updated',
      artifact: anArtifact({ version }),
      author,
    });
    const page = loaded([assistant(1, { artifacts: [anArtifact()] })]);
    const state = after(page, told(2), told(3));
    expect(selectArtifacts(state).map(({ version }) => version)).toEqual([3]);
    expect(reduceThread(state, told(2))).toBe(state);
    expect(state.changedArtifacts.art_1?.author).toEqual(author);
    // The page may be read after the event, and may know more.
    const later = after(told(2), loaded([assistant(1, { artifacts: [anArtifact({ version: 5 })] })]));
    expect(selectArtifacts(later).map(({ version }) => version)).toEqual([5]);
  });
});
