import type { SendAttachment } from '@plinth/client';
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { AttachmentTray } from './attachment-tray.js';
import { Icon } from './icons.js';
import type { UiStrings } from './strings.js';
import { useUi } from './ui-context.js';
import { type Attachments, useAttachments } from './use-attachments.js';

type ComposerProps = {
  /** Why sending is not possible or what it will do; null when there is nothing to say. */
  status: string | null;
  /** False while a message is on its way or the assistant works. */
  canSend: boolean;
  /** A run is active and can be stopped. */
  canStop: boolean;
  placeholder: string | undefined;
  onSend: (text: string, attachments: readonly SendAttachment[]) => void;
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
  const attachments = useAttachments();
  const picker = useRef<HTMLInputElement>(null);
  const [dropping, setDropping] = useState(false);
  const { ready: uploads } = attachments;
  const ready = canSend && uploads !== null && (text.trim() !== '' || uploads.length > 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows what is written.
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(box.scrollHeight, MAX_HEIGHT_PX)}px`;
  }, [text]);

  const send = () => {
    if (!ready) return;
    onSend(text.trim(), uploads);
    setText('');
    attachments.clear();
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
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attachments.add(event.clipboardData.files);
  };
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDropping(event.type === 'dragover');
    if (event.type === 'drop') attachments.add(event.dataTransfer.files);
  };
  const stop = async () => {
    setStopping(true);
    await onStop().finally(() => setStopping(false));
    field.current?.focus();
  };

  return (
    <form className="plinth-composer" onSubmit={submit}>
      <p id={`${id}-status`} className="plinth-composer-status" role="status">
        {uploads === null && canSend ? uploadStatus(attachments, strings) : status}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of three ways; the button is the one for everybody. */}
      <div
        className={dropping ? 'plinth-composer-box plinth-composer-box--dropping' : 'plinth-composer-box'}
        onDragOver={drag}
        onDragLeave={drag}
        onDrop={drag}
      >
        <AttachmentTray attachments={attachments} />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            attachments.add(event.target.files ?? []);
            // The same file can be chosen again after it was removed.
            event.target.value = '';
          }}
        />
        <button
          type="button"
          className="plinth-round plinth-round--attach"
          aria-label={strings.attach}
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
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
          onPaste={paste}
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

function uploadStatus({ items }: Attachments, strings: UiStrings): string {
  const isUnderWay = items.some(({ state }) => state.at === 'uploading');
  return isUnderWay ? strings.waitingForUploads : strings.refusedUploads;
}
