import type {
  Answer,
  AnswerResponse,
  OnBusy,
  RetryRunRequest,
  StartRunResponse,
  ThreadView,
} from '@plinth/protocol';
import type { SendAttachment } from './attachments.js';
import type { ThreadState } from './thread-state.js';

export type SendInput = {
  text: string;
  /** Key of the agent. */
  agent: string;
  /** When a run of the thread only waits: close it as superseded (default), or refuse. */
  onBusy?: OnBusy;
  /** What goes with it, in this order. A file is uploaded first: `plinth.upload`. */
  attachments?: readonly SendAttachment[];
};

/** The live state of one thread and what can be done with it. It is followed while somebody subscribes. */
export type ThreadSession = {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ThreadState;
  /** The state before anything was loaded: what a server renders and a browser hydrates from. */
  getServerSnapshot(): ThreadState;
  /**
   * Shows the message at once and starts a run. When it fails, the message stays with
   * `delivery: 'failed'`, `state.error` tells why, and the promise rejects with the same error.
   */
  send(input: SendInput): Promise<StartRunResponse>;
  /** Sends a failed message again with its first idempotency key: a run that did start is not started twice. */
  resend(messageKey: string): Promise<StartRunResponse>;
  /** Takes a failed message away. */
  discard(messageKey: string): void;
  /** Stops the active run. A run that has ended meanwhile is no error. */
  cancel(): Promise<void>;
  /**
   * Answers an interrupt. One that does not get through is kept and sent again until the server has taken it (resolves) or
   * refused it for good (rejects); the state says `queued` meanwhile. While one is under way, a second call gets the promise
   * of the first.
   */
  answer(interruptId: string, answer: Answer): Promise<AnswerResponse>;
  /** Lets this page carry out a frontend tool that it asks about: see `selectToolQuestions`. Throws `unknown_question`. */
  allowTool(interruptId: string): void;
  /** Does not let it. The model is told, with the reason. Throws `unknown_question`. */
  denyTool(interruptId: string, reason?: string): void;
  /**
   * Puts the head on a message of the tree, on any branch; null: before all. The next message goes on from there. Rejects with
   * `thread_busy` while a run is active; `onBusy: 'supersede'` closes one that only waits.
   */
  moveHead(messageId: string | null, options?: { onBusy?: OnBusy }): Promise<ThreadView>;
  /** Goes to the newest end of the branch that begins with this message: one of `selectBranches`. */
  showBranch(messageId: string, options?: { onBusy?: OnBusy }): Promise<ThreadView>;
  /** Makes a thread that shares the path to this message; `plinth.thread(view.id)` opens it. */
  fork(messageId: string, options?: { title?: string }): Promise<ThreadView>;
  /** Answers the question before this assistant message once more; the new answer is its sibling. */
  retry(messageId: string, options?: Omit<RetryRunRequest, 'threadId'>): Promise<StartRunResponse>;
  /** Sends another message in the place of this one of the person: a branch beside it. */
  edit(userMessageId: string, input: SendInput): Promise<StartRunResponse>;
  /** Reads the page of messages before the oldest one. Does nothing when all are here. */
  loadOlder(): Promise<void>;
  /** Starts over after `phase: 'failed'` or a stream that was refused. */
  reload(): void;
};
