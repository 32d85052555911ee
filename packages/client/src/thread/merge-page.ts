import type { ThreadMessage } from '@plinth/protocol';
import { isEnded } from '../message/reduce-message.js';
import type { ChatMessage } from './thread-state.js';

type IsFollowed = (messageId: string) => boolean;

/**
 * Lays the newest page of a thread over the messages that are here. The page was read after every accepted send.
 * - Messages before the page (read earlier) stay if the page joins them; unsent ones stay at the end.
 * - Of an assistant message the one wins that has ended; of two that run, the one that follows the log.
 */
export function mergePage(
  ours: readonly ChatMessage[],
  page: readonly ThreadMessage[],
  isFollowed: IsFollowed,
): ChatMessage[] {
  const known = new Map(ours.map((message) => [message.id, message]));
  const join = ours.findIndex((message) => message.id === page[0]?.id);
  const before = ours.slice(0, Math.max(join, 0)).filter((message) => message.delivery === 'sent');
  const joined = page.map((message) => mergeMessage(known.get(message.id), message, isFollowed));
  const unsent = ours.filter((message) => message.delivery !== 'sent');
  return [...before, ...joined, ...unsent];
}

/** Puts older messages before those that are here. */
export function prependPage(ours: readonly ChatMessage[], page: readonly ThreadMessage[]): ChatMessage[] {
  const known = new Set(ours.map((message) => message.id));
  return [...page.filter((message) => !known.has(message.id)).map(asSent), ...ours];
}

/** A message that the server knows. */
export function asSent(message: ThreadMessage): ChatMessage {
  return { ...message, key: message.id, delivery: 'sent' };
}

function mergeMessage(
  ours: ChatMessage | undefined,
  theirs: ThreadMessage,
  isFollowed: IsFollowed,
): ChatMessage {
  if (!ours) return asSent(theirs);
  if (ours.role !== 'assistant' || theirs.role !== 'assistant')
    return ours.pendingAttachments ? { ...asSent(theirs), key: ours.key } : withSiblings(ours, theirs);
  const keepOurs = isEnded(ours.view.status) || (isFollowed(ours.id) && !isEnded(theirs.view.status));
  return keepOurs ? withSiblings(ours, theirs) : { ...asSent(theirs), key: ours.key };
}

/** A message gets new branches beside it while it stays as it is: they are the page's to tell. */
function withSiblings(ours: ChatMessage, { siblings }: ThreadMessage): ChatMessage {
  return sameIds(ours.siblings, siblings) ? ours : { ...ours, siblings };
}

/** A server of an older version tells no siblings. */
function sameIds(ours: readonly string[] | undefined, theirs: readonly string[] | undefined): boolean {
  return String(ours) === String(theirs);
}
