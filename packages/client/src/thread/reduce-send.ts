import type { StartRunResponse } from '@plinth/protocol';
import type { PlinthClientError } from '../errors/plinth-client-error.js';
import { emptyMessageView } from '../message/empty-message-view.js';
import type { ChatAttachment } from './attachments.js';
import { asSent } from './merge-page.js';
import type { ChatMessage } from './thread-state.js';

type Sent = { key: string; text: string; attachments?: readonly ChatAttachment[]; at: string };

/** Shows a message before the server knows it, or shows a failed one as being sent again. */
export function showSending(
  messages: readonly ChatMessage[],
  { key, text, attachments = [], at }: Sent,
): ChatMessage[] {
  if (messages.some((message) => message.key === key))
    return changeMessage(messages, key, ({ error: _cleared, ...message }) => ({
      ...message,
      delivery: 'sending',
    }));
  const parent = messages.findLast((message) => message.delivery === 'sent');
  const node = { id: key, parentId: parent?.id ?? null, siblings: [key], createdAt: at };
  const pending = attachments.length > 0 ? { pendingAttachments: attachments } : {};
  return [...messages, { ...node, key, delivery: 'sending', role: 'user', text, ...pending }];
}

/**
 * Gives the shown message its real id and adds the run's assistant message behind it. The key stays.
 * When a page has brought either of them already (a send that timed out but did arrive), none appears twice.
 */
export function showAccepted(
  messages: readonly ChatMessage[],
  key: string,
  response: StartRunResponse,
  at: string,
): ChatMessage[] {
  const { userMessageId, messageId, runId } = response;
  const brought = new Map(messages.map((message) => [message.id, message]));
  const sent = messages.find((message) => message.key === key);
  const own = { id: userMessageId, siblings: [userMessageId] };
  const user = brought.get(userMessageId) ?? (sent && { ...sent, ...own });
  const view = emptyMessageView(messageId, runId);
  const assistant =
    brought.get(messageId) ??
    asSent({
      id: messageId,
      role: 'assistant',
      view,
      parentId: userMessageId,
      siblings: [messageId],
      createdAt: at,
    });

  const others = messages.filter(
    (message) => message.key !== key && message.id !== userMessageId && message.id !== messageId,
  );
  return user ? [...others, { ...user, key, delivery: 'sent' }, assistant] : [...others, assistant];
}

/** Keeps the text of a message that could not be sent, and why. */
export function showFailed(
  messages: readonly ChatMessage[],
  key: string,
  error: PlinthClientError,
): ChatMessage[] {
  return changeMessage(messages, key, (message) => ({ ...message, delivery: 'failed', error }));
}

function changeMessage(
  messages: readonly ChatMessage[],
  key: string,
  change: (message: ChatMessage) => ChatMessage,
): ChatMessage[] {
  return messages.map((message) => (message.key === key ? change(message) : message));
}
