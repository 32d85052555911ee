import type { ArtifactAuthor, ArtifactView, Page, StartRunResponse, ThreadMessage } from '@plinth/protocol';
import type { PlinthClientError } from '../errors/plinth-client-error.js';
import type { MessageLog } from '../message/message-log.js';
import type { OutboxChange } from '../outbox/outbox.js';
import type { ChatAttachment } from './attachments.js';
import type { Connection } from './thread-state.js';

/** Everything that can happen to the state of a thread. Times and keys come with the action. */
export type ThreadAction =
  | { type: 'load.restarted' }
  | { type: 'load.failed'; error: PlinthClientError; final: boolean }
  | { type: 'page.loaded'; page: Page<ThreadMessage> }
  | { type: 'older.loaded'; page: Page<ThreadMessage> }
  | {
      type: 'send.started';
      key: string;
      text: string;
      attachments?: readonly ChatAttachment[];
      at: string;
    }
  | { type: 'send.accepted'; key: string; response: StartRunResponse; at: string }
  | { type: 'send.failed'; key: string; error: PlinthClientError }
  | { type: 'send.discarded'; key: string }
  | { type: 'head.moved'; messageId: string | null }
  | { type: 'retry.started' }
  | { type: 'retry.accepted'; response: StartRunResponse; at: string }
  | { type: 'retry.failed'; error: PlinthClientError }
  | { type: 'message.advanced'; log: MessageLog }
  | OutboxChange
  | { type: 'tool.asked'; interruptId: string }
  | { type: 'tool.settled'; interruptId: string }
  | { type: 'artifact.updated'; artifact: ArtifactView; author: ArtifactAuthor }
  | { type: 'connection.changed'; connection: Connection }
  | { type: 'stream.refused'; error: PlinthClientError };
