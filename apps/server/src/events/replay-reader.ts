import type { LogEntry, StreamRef } from '@plinth/engine';
import { parseSeq, type Seq, type TenantId } from '@plinth/protocol';
import type { EventReader } from './event-reader.js';
import { endsInsideText, foldFinishedTexts, type ReplayEntry, unfolded } from './fold-finished-texts.js';

const PAGE_ENTRIES = 200;
/** Entries that are read ahead to find the end of a text; a longer one is replayed piece by piece. */
const MOST_AHEAD = 4_000;

/** Reads a log page by page, with finished texts folded where the reader wants that. */
export class ReplayReader {
  constructor(
    private readonly reader: EventReader,
    private readonly tenant: TenantId,
    private readonly stream: StreamRef,
    private readonly folds: boolean,
  ) {}

  /** What stands behind `after`, in order, at least one entry when there is one. */
  async next(after: Seq): Promise<ReplayEntry[]> {
    const entries = await this.page(after);
    if (!this.folds) return unfolded(entries);
    let isFull = entries.length === PAGE_ENTRIES;
    while (isFull && entries.length < MOST_AHEAD && endsInsideText(entries)) {
      const last = parseSeq(entries.at(-1)?.seq ?? '');
      const more = last === null ? [] : await this.page(last);
      entries.push(...more);
      isFull = more.length === PAGE_ENTRIES;
    }
    return foldFinishedTexts(entries);
  }

  tail(): Promise<LogEntry | null> {
    return this.reader.tail(this.tenant, this.stream);
  }

  private page(after: Seq): Promise<LogEntry[]> {
    return this.reader.read(this.tenant, this.stream, after, PAGE_ENTRIES);
  }
}
