'use client';
import type { ThreadSession, ThreadState } from '@plinth/client';
import { useMemo } from 'react';
import { type ThreadRef, useThreadSession, useThreadState } from './use-thread-session.js';

export type ThreadHandle = Pick<
  ThreadSession,
  | 'send'
  | 'resend'
  | 'discard'
  | 'cancel'
  | 'answer'
  | 'moveHead'
  | 'showBranch'
  | 'fork'
  | 'retry'
  | 'edit'
  | 'loadOlder'
  | 'reload'
> & {
  state: ThreadState;
  /** Hand this to the other hooks: it also names a thread that has no id yet. */
  session: ThreadSession;
};

/**
 * Follows a thread while the caller is mounted. With null it is a new thread, which the first send creates;
 * its id is then in `state.threadId`, and passing that id later finds the same session.
 */
export function useThread(thread: ThreadRef | null): ThreadHandle {
  const session = useThreadSession(thread);
  const state = useThreadState(session);
  return useMemo(() => {
    const { send, resend, discard, cancel, answer, loadOlder, reload } = session;
    const { moveHead, showBranch, fork, retry, edit } = session;
    const branches = { moveHead, showBranch, fork, retry, edit };
    return { state, session, send, resend, discard, cancel, answer, ...branches, loadOlder, reload };
  }, [state, session]);
}
