import { type FrontendPage, runFrontendTools } from '../frontend/frontend-runner.js';
import { createToolQuestions } from '../frontend/tool-questions.js';
import type { HttpClient } from '../http/http-client.js';
import type { Outbox } from '../outbox/outbox.js';
import type { StreamTools } from '../stream/stream-tools.js';
import { linkAbort } from '../time/linked-abort.js';
import { createInterruptAnswerer } from './answer-interrupt.js';
import { createBranchMover } from './branch-mover.js';
import { cancelRun } from './cancel-run.js';
import { createStore } from './create-store.js';
import { followThread } from './follow-thread.js';
import { createOlderLoader } from './load-older.js';
import { createMessageSender } from './message-sender.js';
import { reduceThread } from './reduce-thread.js';
import type { ThreadSession } from './thread-session-api.js';
import { initialThreadState } from './thread-state.js';
import type { ThreadTools } from './thread-tools.js';

/**
 * How long the streams outlive the last subscriber. React unmounts and mounts again (StrictMode, a route
 * that changes around the chat), and a new connection each time would be a flash of `connecting`.
 */
const LINGER_MS = 1_000;

export type SessionOptions = {
  threadId: string | null;
  http: HttpClient;
  streams: StreamTools;
  outbox: Outbox;
  frontend: FrontendPage;
  /** The session has a thread and is (again) in use. */
  onUsed(threadId: string, session: LiveSession): void;
  /** The first send made the thread. */
  onCreated(): void;
};

export type LiveSession = ThreadSession & { isInUse(): boolean };

/** One thread's state, followed from the first subscriber to the last. */
export function createThreadSession({
  threadId,
  http,
  streams,
  outbox,
  frontend,
  onUsed,
  onCreated,
}: SessionOptions): LiveSession {
  const initial = initialThreadState(threadId);
  const tools: ThreadTools = { http, streams, store: createStore(reduceThread, initial) };
  const { store } = tools;
  const sender = createMessageSender(tools);
  const answer = createInterruptAnswerer(outbox, store);
  const questions = createToolQuestions(store);
  const runTools = runFrontendTools(tools, { page: frontend, outbox, answer, questions });
  if (threadId !== null) outbox.attach(threadId, store.dispatch);
  let subscribers = 0;
  let stopFollowing: (() => void) | null = null;
  let linger = linkAbort();

  function follow(): void {
    const id = store.getState().threadId;
    if (id === null) return;
    onUsed(id, session);
    if (subscribers === 0 || stopFollowing) return;
    const stopThread = followThread(tools, id);
    const leaveRegistry = frontend.registry.subscribe(runTools);
    stopFollowing = () => {
      stopThread();
      leaveRegistry();
    };
  }

  function stop(): void {
    stopFollowing?.();
    stopFollowing = null;
  }

  async function stopLater(): Promise<void> {
    linger = linkAbort();
    const { signal } = linger;
    await streams.timing.wait(LINGER_MS, signal);
    if (!signal.aborted) stop();
  }

  const session: LiveSession = {
    getSnapshot: store.getState,
    getServerSnapshot: () => initial,
    isInUse: () => stopFollowing !== null || store.getState().sending,
    subscribe(listener) {
      const leave = store.subscribe(listener);
      subscribers += 1;
      linger.abort();
      follow();
      return () => {
        leave();
        subscribers -= 1;
        if (subscribers === 0) void stopLater();
      };
    },
    send: sender.send,
    resend: sender.resend,
    discard: sender.discard,
    cancel: () => cancelRun(tools),
    answer,
    allowTool: (interruptId) => questions.decide(interruptId, { allowed: true }),
    denyTool: (interruptId, reason) => questions.decide(interruptId, { allowed: false, reason }),
    ...createBranchMover(tools, sender),
    loadOlder: createOlderLoader(tools),
    reload() {
      stop();
      store.dispatch({ type: 'load.restarted' });
      follow();
    },
  };

  // The first listener of all: when others hear of the new thread's id, `plinth.thread(id)` finds this session.
  if (threadId === null) {
    const leave = store.subscribe(() => {
      if (store.getState().threadId === null) return;
      leave();
      follow();
      onCreated();
    });
  }
  return session;
}
