import { diff3Merge, diffIndices } from 'node-diff3';
import { MARK } from './conflict-marks.js';

/** Line by line: a line keeps its end, so that joining the parts gives every byte back. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What both have made of one text. `conflicts` counts the places that both changed, marked in the text. */
export type MergedText = { text: string; conflicts: number };

/** Merges two changes of one text, line by line (diff3). What both have changed differently stands there twice, marked. */
export function mergeTexts(
  { base, mine, theirs }: { base: string; mine: string; theirs: string },
  names: { mine: string; theirs: string },
): MergedText {
  let conflicts = 0;
  const parts = diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const text = parts
    .map(({ ok, conflict }) => {
      if (ok) return ok.join('');
      if (!conflict) return '';
      conflicts += 1;
      const [a, b] = [conflict.a, conflict.b].map((lines) => closed(lines.join('')));
      return `${MARK.start}${names.mine}\n${a}${MARK.middle}\n${b}${MARK.end}${names.theirs}\n`;
    })
    .join('');
  return { text, conflicts };
}

/** A mark begins a line of its own. */
const closed = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** A run of lines that both have, or that only one has. `from` counts lines from 1. */
export type DiffPart = {
  kind: 'same' | 'changed';
  left: { from: number; lines: string[] };
  right: { from: number; lines: string[] };
};

/** How two texts differ, line by line. */
export function diffTexts(left: string, right: string): DiffPart[] {
  const [a, b] = [linesOf(left), linesOf(right)];
  const parts: DiffPart[] = [];
  let [atA, atB] = [0, 0];
  const add = (kind: DiffPart['kind'], toA: number, toB: number) => {
    if (toA > atA || toB > atB)
      parts.push({
        kind,
        left: { from: atA + 1, lines: a.slice(atA, toA) },
        right: { from: atB + 1, lines: b.slice(atB, toB) },
      });
    [atA, atB] = [toA, toB];
  };
  for (const { buffer1, buffer2 } of diffIndices(a, b)) {
    add('same', buffer1[0], buffer2[0]);
    add('changed', buffer1[0] + buffer1[1], buffer2[0] + buffer2[1]);
  }
  add('same', a.length, b.length);
  return parts;
}
