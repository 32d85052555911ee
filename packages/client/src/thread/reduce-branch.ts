import type { StartRunResponse } from '@plinth/protocol';
import { emptyMessageView } from '../message/empty-message-view.js';
import { asSent } from './merge-page.js';
import type { ChatMessage } from './thread-state.js';

const isSent = (message: ChatMessage) => message.delivery === 'sent';

/**
 * Shows the path up to a message at once; null: an empty one. What was not sent stays at the end. A message that is not here
 * is on another branch: the page that is read next brings it, so nothing changes until then.
 */
export function showPathTo(
  messages: readonly ChatMessage[],
  messageId: string | null,
): readonly ChatMessage[] {
  const last = messages.findIndex((message) => message.id === messageId);
  if (messageId !== null && last < 0) return messages;
  const kept = messages.filter((message, index) => index <= last || !isSent(message));
  return kept.length === messages.length ? messages : kept;
}

/**
 * Shows the new answer to a question in the place of the old one, as its sibling. Without the question here, or with the new
 * answer here already (a page was faster), nothing changes.
 */
export function showRetried(
  messages: readonly ChatMessage[],
  { userMessageId, messageId, runId }: StartRunResponse,
  at: string,
): readonly ChatMessage[] {
  const question = messages.find((message) => message.id === userMessageId);
  if (!question || messages.some((message) => message.id === messageId)) return messages;
  const before = messages.find(
    (message) => message.parentId === userMessageId && message.role === 'assistant',
  );
  const siblings = [...(before?.siblings ?? []), messageId];
  const node = { id: messageId, parentId: userMessageId, siblings, createdAt: at };
  const answer = asSent({ ...node, role: 'assistant', view: emptyMessageView(messageId, runId) });
  const path = showPathTo(messages, userMessageId);
  return [...path.filter(isSent), answer, ...path.filter((message) => !isSent(message))];
}
