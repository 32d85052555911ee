import type { ArtifactAuthor, ArtifactView, AttachmentView, ThreadMessage } from '@plinth/protocol';
import type { PlinthClientError } from '../errors/plinth-client-error.js';
import type { ChatAttachment } from './attachments.js';

/**
 * A message as the chat shows it. `key` stays the same when a message that was shown before the server
 * knew it gets its real `id`, so a list that renders by `key` does not flicker.
 */
export type ChatMessage = ThreadMessage & {
  readonly key: string;
  readonly delivery: 'sent' | 'sending' | 'failed';
  /** Why the delivery failed. */
  readonly error?: PlinthClientError;
  /** What the platform has taken in with it. Read them by `selectAttachments`, which knows those under way as well. */
  readonly attachments?: readonly AttachmentView[];
  readonly pendingAttachments?: readonly ChatAttachment[];
};

/** `new`: has no thread yet, the first send creates it. `failed`: could not be loaded, see `error`. */
export type ThreadPhase = 'new' | 'loading' | 'ready' | 'failed';

/** `idle`: nobody listens. `reconnecting`: what is shown may be behind; it catches up by itself. */
export type Connection = 'idle' | 'connecting' | 'live' | 'reconnecting';

/** An artifact as it is now, and who has changed it last. */
export type ChangedArtifact = { readonly artifact: ArtifactView; readonly author: ArtifactAuthor };

/** All that is known of one thread. Immutable; a part that did not change keeps its identity. */
export type ThreadState = {
  readonly threadId: string | null;
  readonly phase: ThreadPhase;
  /** Oldest first. Messages that are not sent yet stand at the end. */
  readonly messages: readonly ChatMessage[];
  /** The newest assistant message whose run has not ended. */
  readonly activeMessageId: string | null;
  readonly connection: Connection;
  /** What went wrong last with loading, following or sending. A success of the same kind clears it. */
  readonly error: PlinthClientError | null;
  readonly sending: boolean;
  /** Answers on their way, by interrupt. `queued`: one that did not get through; it is sent again by itself. */
  readonly pendingAnswers: Readonly<Record<string, 'sending' | 'queued'>>;
  /** Interrupts of frontend tools that this page asks its person about. */
  readonly toolQuestions: Readonly<Record<string, true>>;
  /** Why the last answer to an interrupt was refused; `fields` names what a form must correct. */
  readonly answerErrors: Readonly<Record<string, PlinthClientError>>;
  /** Leads to older messages; null when all are here. */
  readonly olderCursor: string | null;
  /** How far the log of each unfinished message was read; a stream goes on from there. */
  readonly cursors: Readonly<Record<string, string>>;
  /** The newest versions of artifacts that were changed since they were made, by id. See `selectArtifacts`. */
  readonly changedArtifacts: Readonly<Record<string, ChangedArtifact>>;
};

/** The state before anything was loaded. */
export function initialThreadState(threadId: string | null): ThreadState {
  return {
    threadId,
    phase: threadId === null ? 'new' : 'loading',
    messages: [],
    activeMessageId: null,
    connection: 'idle',
    error: null,
    sending: false,
    pendingAnswers: {},
    toolQuestions: {},
    answerErrors: {},
    olderCursor: null,
    cursors: {},
    changedArtifacts: {},
  };
}
