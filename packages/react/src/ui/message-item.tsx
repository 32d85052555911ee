import type { ChatMessage, ThreadSession } from '@plinth/client';
import { memo } from 'react';
import { AssistantMessage } from './assistant-message.js';
import { UserMessage } from './user-message.js';

export type MessageItemProps = {
  message: ChatMessage;
  session: ThreadSession;
  agent: string;
  /** A run is active. */
  busy: boolean;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** One message of the chat. Drawn again only when it changed: a state keeps the parts that did not. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, session, agent, busy, onOpenArtifact } = props;
  return message.role === 'user' ? (
    <UserMessage message={message} session={session} agent={agent} busy={busy} />
  ) : (
    <AssistantMessage view={message.view} session={session} busy={busy} onOpenArtifact={onOpenArtifact} />
  );
});
