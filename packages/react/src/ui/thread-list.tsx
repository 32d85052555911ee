import type { ThreadView } from '@plinth/protocol';
import { Icon } from './icons.js';
import { formatMoment, useTextAttributes, useUi } from './ui-context.js';

export type ThreadListProps = {
  /** Newest first, for example from `useThreads`. */
  threads: readonly ThreadView[];
  activeId: string | null;
  onSelect: (threadId: string) => void;
  onNew: () => void;
  /** Text of the button that starts a conversation, in the host's own words. */
  newLabel?: string;
};

/** The person's conversations and the way to a new one. */
export function ThreadList({ threads, activeId, onSelect, onNew, newLabel }: ThreadListProps) {
  const { strings, locale } = useUi();
  const text = useTextAttributes();
  return (
    <nav className="plinth plinth-threads" aria-label={strings.threads} {...text}>
      <button type="button" className="plinth-button plinth-threads-new" onClick={onNew}>
        <Icon name="plus" />
        {newLabel ?? strings.newThread}
      </button>
      {threads.length === 0 && <p className="plinth-faint plinth-threads-empty">{strings.noThreads}</p>}
      <ul>
        {threads.map((thread) => (
          <li key={thread.id}>
            <button
              type="button"
              className="plinth-thread"
              aria-current={thread.id === activeId ? 'page' : undefined}
              onClick={() => onSelect(thread.id)}
            >
              <span className="plinth-thread-title" dir="auto">
                {thread.title ?? strings.untitledThread}
              </span>
              <time dateTime={thread.updatedAt}>{formatMoment(thread.updatedAt, locale)}</time>
              {thread.activeRunId !== null && <span className="plinth-thread-active" aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
