import type { Answer, AnswerResponse } from '@plinth/protocol';
import type { Outbox } from '../outbox/outbox.js';
import type { ThreadStore } from './thread-tools.js';

/** Gives one answer to an interrupt of a thread; what becomes of it is in the thread's state. */
export type AnswerInterrupt = (interruptId: string, answer: Answer) => Promise<AnswerResponse>;

export const createInterruptAnswerer =
  (outbox: Outbox, store: ThreadStore): AnswerInterrupt =>
  (interruptId, answer) =>
    outbox.give(interruptId, store.getState().threadId, answer, store.dispatch);
