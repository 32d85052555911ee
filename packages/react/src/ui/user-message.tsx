import {
  type ChatMessage,
  type PlinthClientError,
  selectAttachments,
  type ThreadSession,
} from '@plinth/client';
import { useLayoutEffect, useRef, useState } from 'react';
import { EditMessage } from './edit-message.js';
import { Icon } from './icons.js';
import { MessageActions } from './message-actions.js';
import { MessageAttachments } from './message-attachments.js';
import { ProblemText } from './problem-text.js';
import { useUi } from './ui-context.js';

type UserMessageProps = {
  message: Extract<ChatMessage, { role: 'user' }>;
  session: ThreadSession;
  agent: string;
  /** A run is active. */
  busy: boolean;
};

/** What the person wrote, as written. It can be written anew; one that did not arrive can be sent again or discarded. */
export function UserMessage({ message, session, agent, busy }: UserMessageProps) {
  const { strings } = useUi();
  const { id, key, text, delivery } = message;
  const [editing, setEditing] = useState(false);
  const [error, setError] = useState<PlinthClientError | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The form had the keyboard; without this the next Tab would start at the page's top.
  useLayoutEffect(() => {
    if (wasEditing.current && !editing) pencil.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  const send = (next: string) => {
    setEditing(false);
    setError(null);
    if (next !== text) session.edit(id, { text: next, agent }).catch(setError);
  };
  return (
    <article
      className={`plinth-message plinth-message--user plinth-message--${delivery}`}
      aria-label={strings.you}
    >
      <MessageAttachments attachments={selectAttachments(message)} />
      {editing ? (
        <EditMessage text={text} onSend={send} onCancel={() => setEditing(false)} />
      ) : (
        text !== '' && (
          <p className="plinth-bubble" dir="auto">
            {text}
          </p>
        )
      )}
      {delivery === 'failed' && (
        <p className="plinth-delivery" role="alert">
          <span>
            {strings.notSent}
            {message.error !== undefined && (
              <>
                {': '}
                <ProblemText error={message.error} />
              </>
            )}
          </span>
          <button
            type="button"
            className="plinth-link"
            onClick={() => void session.resend(key).catch(() => undefined)}
          >
            {strings.resend}
          </button>
          <button type="button" className="plinth-link" onClick={() => session.discard(key)}>
            {strings.discard}
          </button>
        </p>
      )}
      {delivery === 'sent' && !editing && (
        <MessageActions session={session} messageId={id} busy={busy} error={error}>
          <button
            ref={pencil}
            type="button"
            className="plinth-action"
            aria-label={strings.editMessage}
            disabled={busy}
            onClick={() => setEditing(true)}
          >
            <Icon name="pencil" />
          </button>
        </MessageActions>
      )}
    </article>
  );
}
