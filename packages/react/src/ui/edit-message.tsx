import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useUi } from './ui-context.js';

type EditMessageProps = { text: string; onSend: (text: string) => void; onCancel: () => void };

/** What the person wrote, to be written anew. Sending makes a version beside the first one. */
export function EditMessage({ text, onSend, onCancel }: EditMessageProps) {
  const { strings } = useUi();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(text);
  useEffect(() => {
    const box = field.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.trim() !== '') onSend(draft.trim());
  };
  const pressKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) onCancel();
  };
  return (
    <form className="plinth-edit plinth-field" onSubmit={submit}>
      <textarea
        ref={field}
        dir="auto"
        rows={Math.min(10, draft.split('\n').length + 1)}
        maxLength={100_000}
        aria-label={strings.editMessage}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={pressKey}
      />
      <div className="plinth-actions">
        <button type="submit" className="plinth-button plinth-button--primary" disabled={draft.trim() === ''}>
          {strings.send}
        </button>
        <button type="button" className="plinth-button plinth-button--quiet" onClick={onCancel}>
          {strings.cancelEdit}
        </button>
      </div>
    </form>
  );
}
