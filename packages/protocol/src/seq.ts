/**
 * A position in an event log. `n` grows by one with every entry and never repeats within an epoch;
 * the epoch grows when the stream's tail was lost, so a number is never used twice.
 */
export type Seq = { epoch: number; n: number };

const PATTERN = /^(\d{1,15})-(\d{1,15})$/;

/** Reads `<epoch>-<n>`; null for anything else (a client may send any `Last-Event-ID`). */
export function parseSeq(text: string): Seq | null {
  const match = PATTERN.exec(text);
  return match ? { epoch: Number(match[1]), n: Number(match[2]) } : null;
}

export function formatSeq(seq: Seq): string {
  return `${seq.epoch}-${seq.n}`;
}

/** Negative when `a` stands before `b`, 0 when they are the same entry, positive otherwise. */
export function compareSeq(a: Seq, b: Seq): number {
  return a.epoch - b.epoch || a.n - b.n;
}
