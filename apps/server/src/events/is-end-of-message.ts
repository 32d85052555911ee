import { hasEnded } from '@plinth/engine';
import type { MessageEvent, SnapshotEvent } from '@plinth/protocol';
import type { FeedEntry } from './feed-entry.js';

/** Whether a message's log says with this entry that its run is over. Parses only what may be it. */
export function isEndOfMessage(entry: FeedEntry): boolean {
  switch (entry.kind) {
    case 'gap':
    case 'folded':
      return false;
    case 'entry':
      return (
        entry.payload.includes('"run.finished"') &&
        (JSON.parse(entry.payload) as MessageEvent).type === 'run.finished'
      );
    case 'snapshot':
      return hasEnded((JSON.parse(entry.payload) as SnapshotEvent).message.status);
  }
}
