/** How `mergeTexts` marks a place that both have changed: as version control does, which models and people know. */
export const MARK = { start: '<<<<<<< ', middle: '=======', end: '>>>>>>> ' } as const;

/** How many such places a text still holds. */
export function conflictsLeft(text: string): number {
  if (!text.includes(MARK.start)) return 0;
  let count = 0;
  let seen: 'nothing' | 'start' | 'middle' = 'nothing';
  for (const line of text.split('\n')) {
    if (line.startsWith(MARK.start)) seen = 'start';
    else if (seen === 'start' && line === MARK.middle) seen = 'middle';
    else if (seen === 'middle' && line.startsWith(MARK.end)) {
      count += 1;
      seen = 'nothing';
    }
  }
  return count;
}
