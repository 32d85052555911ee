import type { ChatMessage } from '@plinth/client';
import { useUi } from './ui-context.js';

type UserMessageProps = {
  text: string;
  delivery: ChatMessage['delivery'];
  onResend: () => void;
  onDiscard: () => void;
};

/** What the person wrote, as written. A message that did not arrive can be sent again or discarded. */
export function UserMessage({ text, delivery, onResend, onDiscard }: UserMessageProps) {
  const { strings } = useUi();
  return (
    <article
      className={`plinth-message plinth-message--user plinth-message--${delivery}`}
      aria-label={strings.you}
    >
      <p className="plinth-bubble" dir="auto">
        {text}
      </p>
      {delivery === 'failed' && (
        <p className="plinth-delivery" role="alert">
          <span>{strings.notSent}</span>
          <button type="button" className="plinth-link" onClick={onResend}>
            {strings.resend}
          </button>
          <button type="button" className="plinth-link" onClick={onDiscard}>
            {strings.discard}
          </button>
        </p>
      )}
    </article>
  );
}
