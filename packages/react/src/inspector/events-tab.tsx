import type { StreamEntry } from '@plinth/protocol';
import { useId, useState } from 'react';
import { CopyButton } from '../ui/copy-button.js';
import { useInspectorStrings } from './use-inspector-strings.js';
import { useMessageLog } from './use-message-log.js';

/** Rows that are drawn at most, the newest ones: a page stays quick with a log of any length. */
const DRAWN = 300;

/** The events of one message as they came, with a filter. */
export function EventsTab({ messageId }: { messageId: string }) {
  const strings = useInspectorStrings();
  const { entries, error } = useMessageLog(messageId);
  const [filter, setFilter] = useState('');
  const filterId = useId();
  const all = entries ?? [];
  const matching = matchingEntries(all, filter);
  const older = Math.max(0, matching.length - DRAWN);
  return (
    <>
      <div className="plinth-events-bar plinth-field">
        <label htmlFor={filterId}>{strings.filter}</label>
        <input
          id={filterId}
          type="text"
          autoComplete="off"
          spellCheck={false}
          placeholder={strings.filterHint}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <span className="plinth-faint" role="status">
          {strings.eventCount(matching.length, all.length)}
        </span>
        <span title={strings.copyEvents}>
          <CopyButton text={() => matching.map((entry) => JSON.stringify(entry)).join('\n')} />
        </span>
      </div>
      {error !== null && (
        <p className="plinth-inspector-note" role="alert">
          {strings.eventsFailed} <span className="plinth-faint">{error.message}</span>
        </p>
      )}
      {error === null && matching.length === 0 && (
        <p className="plinth-inspector-note">
          {entries === null ? strings.loading : all.length === 0 ? strings.eventsEmpty : strings.noMatch}
        </p>
      )}
      {older > 0 && <p className="plinth-inspector-note">{strings.olderEvents(older)}</p>}
      <ol className="plinth-events" dir="ltr">
        {matching.slice(older).map((entry, index) => (
          // A snapshot may have the place of an entry before it.
          // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end
          <EventRow key={`${entry.seq} ${entry.type} ${older + index}`} entry={entry} />
        ))}
      </ol>
    </>
  );
}

function EventRow({ entry }: { entry: StreamEntry }) {
  const [open, setOpen] = useState(false);
  const { seq, type, ...body } = entry;
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="plinth-faint">{seq}</span> <strong>{type}</strong>{' '}
          <span className="plinth-faint">{'at' in entry ? entry.at.slice(11, 23) : ''}</span>
        </summary>
        {open && <pre>{JSON.stringify(body, null, 2)}</pre>}
      </details>
    </li>
  );
}

/** The entries that have this text anywhere, whatever its case. */
export function matchingEntries(entries: readonly StreamEntry[], filter: string): readonly StreamEntry[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return entries;
  return entries.filter((entry) => JSON.stringify(entry).toLowerCase().includes(wanted));
}
