import type { ChatMessage, ThreadSession } from '@plinth/client';
import { memo } from 'react';
import { AssistantMessage } from './assistant-message.js';
import { UserMessage } from './user-message.js';

export type MessageItemProps = {
  message: ChatMessage;
  session: ThreadSession;
  onOpenArtifact: ((artifactId: string) => void) | undefined;
};

/** One message of the chat. Drawn again only when it changed: a state keeps the parts that did not. */
export const MessageItem = memo(function MessageItem({ message, session, onOpenArtifact }: MessageItemProps) {
  return message.role === 'user' ? (
    <UserMessage
      text={message.text}
      delivery={message.delivery}
      onResend={() => void session.resend(message.key).catch(() => undefined)}
      onDiscard={() => session.discard(message.key)}
    />
  ) : (
    <AssistantMessage view={message.view} session={session} onOpenArtifact={onOpenArtifact} />
  );
});
