const LINE_END = /\r\n|\r|\n/g;

/**
 * Where the line that begins at `start` ends, and where the next one begins. A line that may still be growing is not
 * complete: one without an end, and one whose carriage return may be half of an end.
 */
export function endOfLine(text: string, start: number): { at: number; end: number; isComplete: boolean } {
  LINE_END.lastIndex = start;
  const match = LINE_END.exec(text);
  if (match === null) return { at: text.length, end: text.length, isComplete: false };
  const end = LINE_END.lastIndex;
  return { at: match.index, end, isComplete: match[0] !== '\r' || end < text.length };
}
