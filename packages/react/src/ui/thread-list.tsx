import type { ThreadOrigin, ThreadView } from '@plinth/protocol';
import { Icon } from './icons.js';
import { formatMoment } from './moments.js';
import { useTextAttributes, useUi } from './ui-context.js';

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
            {thread.forkedFrom !== null && <Origin from={thread.forkedFrom} onSelect={onSelect} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

type OriginProps = { from: ThreadOrigin; onSelect: (threadId: string) => void };

/** Where a fork comes from, and the way there: the thread may be further down the list than is loaded. */
function Origin({ from, onSelect }: OriginProps) {
  const { strings } = useUi();
  return (
    <button type="button" className="plinth-thread-origin" onClick={() => onSelect(from.threadId)}>
      <Icon name="fork" />
      <span dir="auto">{strings.forkedFrom(from.title ?? strings.untitledThread)}</span>
    </button>
  );
}
