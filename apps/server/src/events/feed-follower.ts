import { LOG_START } from '@plinth/engine';
import { compareSeq, formatSeq, type GapEvent, parseSeq, type Seq } from '@plinth/protocol';
import type { FeedEnd, FeedEntry, FeedRequest } from './feed-entry.js';
import type { FeedInbox } from './feed-inbox.js';
import type { ReplayEntry } from './fold-finished-texts.js';
import type { ReplayReader } from './replay-reader.js';

const START: Seq = { epoch: LOG_START.epoch, n: LOG_START.tail };

/**
 * Walks one reader along one log. `#cursor` is the last entry that the reader has; what it gets next is the
 * entry right behind it, or a gap and the state as it is now. There is no third way.
 *
 * Lost entries show in one of four ways, all of which end in `#lost`: the next entry there is does not follow
 * the cursor (trimmed, or a newer epoch), the log ends before the cursor (restored from an older file, or a
 * cursor that never was), or there is no log (expired, flushed).
 */
export class FeedFollower {
  #cursor: Seq;
  /** The log is gone and the reader has been told. */
  #gone = false;
  /** The reader has a snapshot of an ended run: when the log has no more, it is done. */
  #sawEnd = false;

  constructor(
    private readonly reader: ReplayReader,
    private readonly inbox: FeedInbox,
    private readonly request: FeedRequest,
  ) {
    this.#cursor = request.after ?? START;
  }

  async *run(): AsyncGenerator<FeedEntry, FeedEnd> {
    this.inbox.refill();
    for (;;) {
      const stopped = this.#stopped();
      if (stopped) return stopped;
      if (this.inbox.takeRefill()) {
        const end = yield* this.#catchUp();
        if (end) return end;
        continue;
      }
      const live = this.inbox.takeEntry();
      if (!live) {
        await this.inbox.wait();
        continue;
      }
      const seq = place(live.seq);
      if (compareSeq(seq, this.#cursor) <= 0) continue;
      if (follows(this.#cursor, seq)) {
        const end = yield* this.#pass({ kind: 'entry', ...live });
        if (end) return end;
      } else {
        // The log has this one too, and what is missing before it.
        this.inbox.refill();
      }
    }
  }

  #stopped(): FeedEnd | null {
    // In this order: being cut makes others abort.
    if (this.inbox.isCut) return 'slow';
    return this.request.signal.aborted ? 'aborted' : null;
  }

  /** Reads the log from the cursor until it has no more. */
  async *#catchUp(): AsyncGenerator<FeedEntry, FeedEnd | null> {
    for (;;) {
      const page = await this.reader.next(this.#cursor);
      const end = page.length > 0 ? yield* this.#passPage(page) : yield* this.#atTail();
      if (end) return end === 'caught_up' ? null : end;
    }
  }

  async *#passPage(page: readonly ReplayEntry[]): AsyncGenerator<FeedEntry, FeedEnd | null> {
    this.#gone = false;
    for (const { from, ...entry } of page) {
      const seq = place(from);
      if (!follows(this.#cursor, seq)) {
        // Whatever was before this entry had been committed before now, so the state of now covers it.
        yield* this.#lost((known) => later(known, { epoch: seq.epoch, n: seq.n - 1 }));
        // The snapshot may reach beyond this page.
        return this.#stopped();
      }
      const end = yield* this.#pass(entry);
      if (end) return end;
    }
    return this.#stopped();
  }

  /** Nothing stands behind the cursor: it is at the tail, beyond it, or the log is gone. */
  async *#atTail(): AsyncGenerator<FeedEntry, FeedEnd | 'caught_up' | null> {
    const { isEnd } = this.request;
    const tail = await this.reader.tail();
    if (!tail) {
      if (!this.#gone) yield* this.#lost((known) => known);
      this.#gone = true;
      return this.#stopped() ?? (this.#sawEnd ? 'ended' : 'caught_up');
    }
    this.#gone = false;
    const seq = place(tail.seq);
    const ahead = compareSeq(this.#cursor, seq);
    // An entry came between the two reads.
    if (ahead < 0) return null;
    if (ahead === 0) return this.#sawEnd || isEnd({ kind: 'entry', ...tail }) ? 'ended' : 'caught_up';
    // What stands in the log behind the snapshot is shown again; that changes nothing in a state that has it.
    yield* this.#lost((known) => (compareSeq(known, seq) > 0 ? seq : known));
    return this.#stopped();
  }

  /** Says that entries are lost and gives the state as it is now. `resumeAt` picks the place to go on from. */
  async *#lost(resumeAt: (known: Seq) => Seq): AsyncGenerator<FeedEntry, void> {
    const state = await this.request.rebuild();
    const known = (state && parseSeq(state.seq)) ?? START;
    const to = resumeAt(known);
    const snapshot: FeedEntry | null = state && {
      kind: 'snapshot',
      seq: formatSeq(to),
      payload: state.payload,
    };
    const isEnd = snapshot !== null && this.request.isEnd(snapshot);
    // A log that nothing was written to yet: nothing is lost.
    if (compareSeq(this.#cursor, START) === 0 && compareSeq(to, START) === 0 && !isEnd) return;
    const from = formatSeq(this.#cursor);
    const gap: GapEvent = { type: 'gap', from, to: formatSeq(to) };
    // It keeps the old place: a reader that is cut off before the snapshot must be told again.
    yield* this.#give({ kind: 'gap', seq: from, payload: JSON.stringify(gap) });
    this.#cursor = to;
    this.#sawEnd = isEnd;
    if (snapshot) yield* this.#give(snapshot);
  }

  async *#pass(entry: FeedEntry): AsyncGenerator<FeedEntry, FeedEnd | null> {
    this.#cursor = place(entry.seq);
    yield* this.#give(entry);
    return this.request.isEnd(entry) ? 'ended' : this.#stopped();
  }

  async *#give(entry: FeedEntry): AsyncGenerator<FeedEntry, void> {
    this.inbox.consumerHolds = true;
    yield entry;
    this.inbox.consumerHolds = false;
  }
}

/** Whether `next` is the entry right behind `cursor`. A newer epoch never is: it began because entries were lost. */
function follows(cursor: Seq, next: Seq): boolean {
  return next.epoch === cursor.epoch && next.n === cursor.n + 1;
}

function later(a: Seq, b: Seq): Seq {
  return compareSeq(a, b) > 0 ? a : b;
}

function place(seq: string): Seq {
  const parsed = parseSeq(seq);
  if (!parsed) throw new Error(`an event log holds an entry with the id ${seq}, which no writer makes`);
  return parsed;
}
