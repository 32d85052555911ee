import type { MessageLog } from '../message/message-log.js';
import { isEnded } from '../message/reduce-message.js';
import { mergePage, prependPage } from './merge-page.js';
import { showAnswered, showRefused } from './reduce-answer.js';
import { showPathTo, showRetried } from './reduce-branch.js';
import { showAccepted, showFailed, showSending } from './reduce-send.js';
import type { ThreadAction } from './thread-action.js';
import type { ChatMessage, ThreadState } from './thread-state.js';

/** The state of a thread after one more action. The only place where a `ThreadState` comes from. */
export function reduceThread(state: ThreadState, action: ThreadAction): ThreadState {
  const next = apply(state, action);
  return next.messages === state.messages ? next : { ...next, activeMessageId: findActive(next.messages) };
}

function apply(state: ThreadState, action: ThreadAction): ThreadState {
  switch (action.type) {
    case 'load.restarted':
      return { ...state, phase: state.phase === 'failed' ? 'loading' : state.phase, error: null };
    case 'load.failed':
      return {
        ...state,
        phase: action.final && state.phase === 'loading' ? 'failed' : state.phase,
        error: action.error,
      };
    case 'page.loaded': {
      const messages = mergePage(state.messages, action.page.items, (id) => id in state.cursors);
      const keepsOlder = messages.length > 0 && state.messages[0]?.id === messages[0]?.id;
      const olderCursor = keepsOlder ? state.olderCursor : action.page.nextCursor;
      return { ...state, phase: 'ready', error: sendErrorOf(state), messages, olderCursor };
    }
    case 'older.loaded': {
      const messages = prependPage(state.messages, action.page.items);
      return { ...state, messages, olderCursor: action.page.nextCursor };
    }

    case 'send.started':
      return { ...state, sending: true, error: null, messages: showSending(state.messages, action) };
    case 'send.accepted': {
      const messages = showAccepted(state.messages, action.key, action.response, action.at);
      const phase = state.phase === 'new' ? 'ready' : state.phase;
      return { ...state, threadId: action.response.threadId, phase, sending: false, messages };
    }
    case 'send.failed':
      return {
        ...state,
        sending: false,
        error: action.error,
        messages: showFailed(state.messages, action.key, action.error),
      };
    case 'send.discarded': {
      const messages = state.messages.filter(
        (message) => message.key !== action.key || message.delivery !== 'failed',
      );
      return { ...state, error: null, messages };
    }

    case 'head.moved': {
      const messages = showPathTo(state.messages, action.messageId);
      return messages === state.messages ? state : { ...state, messages };
    }
    case 'retry.started':
      return { ...state, sending: true, error: null };
    case 'retry.accepted': {
      const messages = showRetried(state.messages, action.response, action.at);
      return { ...state, sending: false, messages };
    }
    case 'retry.failed':
      return { ...state, sending: false, error: action.error };

    case 'message.advanced':
      return advance(state, action.log);

    case 'artifact.updated': {
      const { artifact, author } = action;
      const known = state.changedArtifacts[artifact.id];
      // The thread's log is heard from its beginning, and again after a break: an older version is no news.
      if (known !== undefined && known.artifact.version >= artifact.version) return state;
      const changedArtifacts = { ...state.changedArtifacts, [artifact.id]: { artifact, author } };
      return { ...state, changedArtifacts };
    }

    case 'answer.started': {
      const pendingAnswers = { ...state.pendingAnswers, [action.interruptId]: 'sending' as const };
      return { ...state, pendingAnswers, answerErrors: omit(state.answerErrors, action.interruptId) };
    }
    case 'answer.queued': {
      const pendingAnswers = { ...state.pendingAnswers, [action.interruptId]: 'queued' as const };
      return { ...state, pendingAnswers };
    }
    case 'answer.accepted': {
      const pendingAnswers = omit(state.pendingAnswers, action.interruptId);
      return {
        ...state,
        pendingAnswers,
        messages: showAnswered(state.messages, action.interruptId, action.at),
      };
    }
    case 'answer.refused': {
      const { interruptId, error, at } = action;
      const pendingAnswers = omit(state.pendingAnswers, interruptId);
      const answerErrors = { ...state.answerErrors, [interruptId]: error };
      return {
        ...state,
        pendingAnswers,
        answerErrors,
        messages: showRefused(state.messages, interruptId, error, at),
      };
    }

    case 'tool.asked': {
      const toolQuestions = { ...state.toolQuestions, [action.interruptId]: true as const };
      return { ...state, toolQuestions };
    }
    case 'tool.settled':
      return { ...state, toolQuestions: omit(state.toolQuestions, action.interruptId) };

    case 'connection.changed':
      return state.connection === action.connection ? state : { ...state, connection: action.connection };
    case 'stream.refused':
      return { ...state, error: action.error };
  }
}

/** The state's error if it is of a message that still waits to be sent again: reading a page does not settle that. */
function sendErrorOf({ messages, error }: ThreadState): ThreadState['error'] {
  return messages.some((message) => message.delivery === 'failed' && message.error === error) ? error : null;
}

/** Puts what a log says into its message. The cursor is kept as long as there is something to go on with. */
function advance(state: ThreadState, { view, cursor }: MessageLog): ThreadState {
  const index = state.messages.findLastIndex((message) => message.id === view.messageId);
  const message = state.messages[index];
  if (message?.role !== 'assistant') return state;
  const cursors = isEnded(view.status)
    ? omit(state.cursors, view.messageId)
    : withCursor(state.cursors, view.messageId, cursor);
  if (message.view === view) return cursors === state.cursors ? state : { ...state, cursors };
  const messages = state.messages.slice();
  messages[index] = { ...message, view };
  return { ...state, messages, cursors };
}

function findActive(messages: readonly ChatMessage[]): string | null {
  const active = messages.findLast(
    (message) => message.role === 'assistant' && !isEnded(message.view.status),
  );
  return active?.id ?? null;
}

function withCursor(cursors: Readonly<Record<string, string>>, id: string, cursor: string | null) {
  return cursor === null || cursors[id] === cursor ? cursors : { ...cursors, [id]: cursor };
}

function omit<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!(key in record)) return record;
  const { [key]: _omitted, ...rest } = record;
  return rest;
}
