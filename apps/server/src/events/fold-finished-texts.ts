import type { LogEntry } from '@plinth/engine';
import { type FoldedEvent, parseSeq } from '@plinth/protocol';

/**
 * An entry as it is replayed: one of the log, or the pieces of a finished text as one. `from` is the first entry of the
 * log that it stands for, `seq` the last.
 */
export type ReplayEntry = LogEntry & { kind: 'entry' | 'folded'; from: string };

/** As the writer begins the JSON text of these events; anything else is no piece of a text. */
const PIECE = /^\{"type":"(text|reasoning)\.(delta|done)","turn":(\d+),/;

interface Piece {
  channel: string;
  isDone: boolean;
  turn: string;
}

function pieceOf({ payload }: LogEntry): Piece | null {
  const match = PIECE.exec(payload);
  return match ? { channel: match[1] ?? '', isDone: match[2] === 'done', turn: match[3] ?? '' } : null;
}

const asEntry = (entry: LogEntry): ReplayEntry => ({ ...entry, kind: 'entry', from: entry.seq });

function follows(before: LogEntry, next: LogEntry): boolean {
  const [a, b] = [parseSeq(before.seq), parseSeq(next.seq)];
  return a !== null && b !== null && a.epoch === b.epoch && b.n === a.n + 1;
}

interface Text {
  /** Where the pieces end and the whole texts begin. */
  pieces: number;
  /** Behind the last whole text. */
  end: number;
  /** Every channel that has a piece has its whole text. */
  isWhole: boolean;
}

/** The pieces of one turn that begin at `start`, one right behind the other, and the whole texts right behind them. */
function textAt(entries: readonly LogEntry[], start: number): Text {
  const open = new Set<string>();
  let turn: string | null = null;
  let [pieces, end] = [start, start];
  for (let index = start; index < entries.length; index += 1) {
    const entry = entries[index];
    const before = entries[index - 1];
    const piece = entry ? pieceOf(entry) : null;
    if (!entry || !piece || (index > start && before && !follows(before, entry))) break;
    if (turn !== null && piece.turn !== turn) break;
    turn = piece.turn;
    if (piece.isDone) open.delete(piece.channel);
    // A piece behind a whole text: not as a turn is written.
    else if (pieces < end) break;
    else {
      open.add(piece.channel);
      pieces = index + 1;
    }
    end = index + 1;
    if (open.size === 0) break;
  }
  return { pieces, end, isWhole: open.size === 0 && end > pieces };
}

/**
 * Puts one entry in the place of the pieces of every text that is finished: the whole text stands right behind it, so a
 * reader that gets the one soon gets the other, and needs nothing of what it had of the pieces.
 */
export function foldFinishedTexts(entries: readonly LogEntry[]): ReplayEntry[] {
  const replay: ReplayEntry[] = [];
  for (let index = 0; index < entries.length; ) {
    const { pieces, end, isWhole } = textAt(entries, index);
    const [first, last] = [entries[index], entries[pieces - 1]];
    if (isWhole && first && last && pieces - index > 1) {
      const folded: FoldedEvent = { type: 'folded', from: first.seq, to: last.seq };
      replay.push({ kind: 'folded', from: first.seq, seq: last.seq, payload: JSON.stringify(folded) });
      replay.push(...entries.slice(pieces, end).map(asEntry));
      index = end;
    } else {
      const next = Math.max(end, index + 1);
      replay.push(...entries.slice(index, next).map(asEntry));
      index = next;
    }
  }
  return replay;
}

/** Whether these entries end inside a text, so that what follows them may finish it. */
export function endsInsideText(entries: readonly LogEntry[]): boolean {
  const last = entries.at(-1);
  const piece = last ? pieceOf(last) : null;
  return piece !== null;
}

/** The entries one by one, as they stand in the log. */
export function unfolded(entries: readonly LogEntry[]): ReplayEntry[] {
  return entries.map(asEntry);
}
