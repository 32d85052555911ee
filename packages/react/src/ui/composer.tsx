import { type FormEvent, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './icons.js';
import { useUi } from './ui-context.js';

type ComposerProps = {
  /** Why sending is not possible or what it will do; null when there is nothing to say. */
  status: string | null;
  /** False while a message is on its way or the assistant works. */
  canSend: boolean;
  /** A run is active and can be stopped. */
  canStop: boolean;
  placeholder: string | undefined;
  onSend: (text: string) => void;
  onStop: () => Promise<void>;
};

const MAX_HEIGHT_PX = 200;

/** Where the person writes. Enter sends, Shift+Enter starts a new line, and an input method's Enter never sends. */
export function Composer({ status, canSend, canStop, placeholder, onSend, onStop }: ComposerProps) {
  const { strings } = useUi();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const composing = useRef(false);
  const [text, setText] = useState('');
  const [stopping, setStopping] = useState(false);
  const ready = canSend && text.trim() !== '';

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what is written.
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [text]);

  const send = () => {
    if (!ready) return;
    onSend(text.trim());
    setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
    field.current?.focus();
  };
  const pressKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    // Safari ends the composition before it reports this key, and marks it with the code 229.
    if (composing.current || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };
  const stop = async () => {
    setStopping(true);
    await onStop().finally(() => setStopping(false));
    field.current?.focus();
  };

  return (
    <form className="plinth-composer" onSubmit={submit}>
      <p id={`${id}-status`} className="plinth-composer-status" role="status">
        {status}
      </p>
      <div className="plinth-composer-box">
        <textarea
          ref={field}
          dir="auto"
          rows={1}
          value={text}
          maxLength={100_000}
          aria-label={strings.composerLabel}
          aria-describedby={`${id}-status ${id}-hint`}
          placeholder={placeholder ?? strings.composerPlaceholder}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={pressKey}
          onCompositionStart={() => {
            composing.current = true;
          }}
          onCompositionEnd={() => {
            composing.current = false;
          }}
        />
        {canStop && (
          <button
            type="button"
            className="plinth-round plinth-round--stop"
            disabled={stopping}
            aria-label={strings.stop}
            onClick={stop}
          >
            <Icon name="stop" />
          </button>
        )}
        <button
          type="submit"
          className="plinth-round plinth-round--send"
          disabled={!ready}
          aria-label={strings.send}
        >
          <Icon name="send" />
        </button>
      </div>
      <p id={`${id}-hint`} className="plinth-composer-hint">
        {strings.composerHint}
      </p>
    </form>
  );
}
