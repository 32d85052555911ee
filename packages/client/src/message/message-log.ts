import type { MessageView, StreamEntry } from '@plinth/protocol';
import { leavesHole } from './message-parts.js';
import { isEnded, reduceMessage } from './reduce-message.js';
import { isAfter } from './seq.js';

/** A message's state and the last entry that is in it. `cursor` is null before the first. */
export type MessageLog = { readonly view: MessageView; readonly cursor: string | null };

/** The log after some entries. `hole` is the first one that could not be joined; it and the rest are not in. */
export type Fold = { readonly log: MessageLog; readonly hole: StreamEntry | null };

/** A text whose holes are left open: `text.done` brings the whole of it. */
export type OpenHoles = ReadonlySet<string>;

/** Names the text that an entry belongs to; null for entries that carry no piece of a text. */
export function textOf(entry: StreamEntry): string | null {
  return entry.type === 'text.delta' || entry.type === 'reasoning.delta'
    ? `${entry.type} ${entry.turn}`
    : null;
}

/**
 * Takes entries into a log, in order. An entry at or before the cursor is a duplicate and is left out.
 * At a piece of text that does not join what is there it stops: the caller reads again from the cursor.
 * If the same text still has its hole then (`openHoles`), its pieces are passed over, so that the run's
 * other events are not held up.
 */
export function foldEntries(
  log: MessageLog,
  entries: readonly StreamEntry[],
  openHoles: OpenHoles = new Set(),
): Fold {
  let current = log;
  for (const entry of entries) {
    if (isDuplicate(current, entry)) continue;
    if (isHole(current.view, entry) && !openHoles.has(textOf(entry) ?? ''))
      return { log: current, hole: entry };
    current = { view: reduceMessage(current.view, entry), cursor: cursorAfter(current, entry) };
  }
  return { log: current, hole: null };
}

/** A snapshot is never a duplicate: it replaces the state, also with one of an earlier place. */
export function isDuplicate({ cursor }: Pick<MessageLog, 'cursor'>, entry: StreamEntry): boolean {
  return entry.type !== 'snapshot' && entry.type !== 'gap' && isAfter(entry.seq, cursor) !== true;
}

/** A run that has ended has its whole text already. */
function isHole(view: MessageView, entry: StreamEntry): boolean {
  if (isEnded(view.status)) return false;
  if (entry.type === 'text.delta') return leavesHole(view.parts, 'text', entry);
  if (entry.type === 'reasoning.delta') return leavesHole(view.parts, 'reasoning', entry);
  return false;
}

/** A gap moves nothing: if the stream breaks before its snapshot, the next one must begin before the gap. */
export function cursorAfter({ cursor }: Pick<MessageLog, 'cursor'>, entry: StreamEntry): string | null {
  const isPlace = entry.type !== 'gap' && isAfter(entry.seq, null) === true;
  return isPlace ? entry.seq : cursor;
}
