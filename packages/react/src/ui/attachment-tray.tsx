import { Icon } from './icons.js';
import { problemKind } from './problem-kind.js';
import type { UiStrings } from './strings.js';
import { useUi } from './ui-context.js';
import { type Attachment, type Attachments, MOST_ATTACHMENTS } from './use-attachments.js';

/** The files that go with the next message: how far each one is, and the way to leave it out. */
export function AttachmentTray({ attachments }: { attachments: Attachments }) {
  const { strings } = useUi();
  if (attachments.items.length === 0) return null;
  return (
    <ul className="plinth-tray" aria-label={strings.attachments}>
      {attachments.items.map((item) => (
        <TrayItem
          key={item.key}
          item={item}
          onRetry={() => attachments.retry(item.key)}
          onRemove={() => attachments.remove(item.key)}
        />
      ))}
    </ul>
  );
}

function problemOf(
  { error, why }: Extract<Attachment['state'], { at: 'failed' }>,
  strings: UiStrings,
): string {
  if (why === 'empty') return strings.uploadEmpty;
  if (why === 'too_many') return strings.uploadTooMany(MOST_ATTACHMENTS);
  if (error?.status === 413) return strings.uploadTooLarge;
  return error === null || error.status === 0
    ? strings.uploadFailed
    : `${strings.uploadFailed} ${strings.problems[problemKind(error)]}`;
}

type TrayItemProps = { item: Attachment; onRetry: () => void; onRemove: () => void };

function TrayItem({ item, onRetry, onRemove }: TrayItemProps) {
  const { strings } = useUi();
  const { file, previewUrl, state } = item;
  return (
    <li className={`plinth-tray-item plinth-tray-item--${state.at}`}>
      {previewUrl === null ? <Icon name="file" /> : <img src={previewUrl} alt="" />}
      <span className="plinth-tray-name" dir="auto">
        {file.name}
      </span>
      {state.at === 'uploading' && (
        <span className="plinth-spinner" role="status" aria-label={strings.uploading(file.name)} />
      )}
      {state.at === 'failed' && (
        <span className="plinth-tray-problem" role="alert">
          {problemOf(state, strings)}
          {state.why === undefined && state.error?.retryable !== false && (
            <button type="button" className="plinth-link" onClick={onRetry}>
              {strings.tryAgain}
            </button>
          )}
        </span>
      )}
      <button
        type="button"
        className="plinth-action"
        aria-label={strings.removeAttachment(file.name)}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}
