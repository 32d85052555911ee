import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useUi } from './ui-context.js';

type DeclineFormProps = { sending: boolean; onDecline: (reason: string) => void; onBack: () => void };

/** Asks for the reason of a "no". It may stay empty; the model reads what is written. */
export function DeclineForm({ sending, onDecline, onBack }: DeclineFormProps) {
  const { strings } = useUi();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onDecline(reason.trim());
  };
  return (
    <form className="plinth-decline" onSubmit={submit}>
      <div className="plinth-field">
        <label htmlFor={id}>
          {strings.declineReason}
          <span className="plinth-optional"> ({strings.optional})</span>
        </label>
        <textarea
          id={id}
          ref={field}
          rows={2}
          maxLength={2000}
          disabled={sending}
          aria-describedby={`${id}-help`}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <p id={`${id}-help`} className="plinth-help">
          {strings.declineReasonHint}
        </p>
      </div>
      <div className="plinth-actions">
        <button type="submit" className="plinth-button plinth-button--danger" disabled={sending}>
          {sending ? strings.sending : strings.decline}
        </button>
        <button
          type="button"
          className="plinth-button plinth-button--quiet"
          disabled={sending}
          onClick={onBack}
        >
          {strings.back}
        </button>
      </div>
    </form>
  );
}
