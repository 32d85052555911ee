import { initialThreadState, type Plinth, type ThreadSession, type ThreadState } from '@plinth/client';
import type { Answer, AnswerResponse } from '@plinth/protocol';
import { act, type ReactNode } from 'react';
import { PlinthProvider } from '../plinth-provider.js';
import { UiProvider } from './ui-context.js';

/** For tests: a session whose state the test sets, and which notes what was answered. */
export type SessionForTest = ThreadSession & {
  answers: { interruptId: string; answer: Answer }[];
  set: (part: Partial<ThreadState>) => void;
};

export function sessionForTest(): SessionForTest {
  let state: ThreadState = { ...initialThreadState('thr_1'), phase: 'ready' };
  const listeners = new Set<() => void>();
  const unused = () => Promise.reject(new Error('not part of this test'));
  const answers: SessionForTest['answers'] = [];
  return {
    answers,
    set: (part) =>
      act(() => {
        state = { ...state, ...part };
        for (const listener of listeners) listener();
      }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => state,
    getServerSnapshot: () => state,
    answer: (interruptId, answer) => {
      answers.push({ interruptId, answer });
      return new Promise<AnswerResponse>(() => undefined);
    },
    send: unused,
    resend: unused,
    cancel: unused,
    moveHead: unused,
    showBranch: unused,
    fork: unused,
    retry: unused,
    edit: unused,
    loadOlder: unused,
    allowTool: () => undefined,
    denyTool: () => undefined,
    discard: () => undefined,
    reload: () => undefined,
  };
}

/** The providers that a component of the SDK needs, in English. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <PlinthProvider plinth={{} as Plinth}>
      <UiProvider language="en">{children}</UiProvider>
    </PlinthProvider>
  );
}
