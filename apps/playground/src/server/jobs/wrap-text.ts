import { isWide, textWidth } from './text-width.js';

/** `brokenWord` says that a line had to end inside a word, since the word is wider than a line. */
export type WrappedText = { lines: string[]; brokenWord: boolean };

const NOT_AT_LINE_START = /^[，。、！？：；）》」』”’…·,.!?:;)\]%~～—]/u;
const NARROWEST_SHARE = 0.5;
const SHARE_STEP = 0.05;
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * Breaks a text into lines no wider than `maxEms`, between words: at spaces, and in Chinese where a dictionary
 * sees a word end, never before closing punctuation. A word wider than a line is broken inside.
 */
export function wrapText(text: string, maxEms: number, bold = false): WrappedText {
  const fits = (candidate: string) => textWidth(candidate.trimEnd(), bold) <= maxEms;
  const pieces = piecesOf(text);
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces.flatMap((one) => (fits(one) ? [one] : [...one]))) {
    if (line !== '' && !fits(line + piece)) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += line === '' ? piece.trimStart() : piece;
  }
  if (line !== '') lines.push(line.trimEnd());
  return { lines, brokenWord: pieces.some((piece) => !fits(piece)) };
}

/** The same number of lines, but as even as possible: no single word alone on the last line if it can be helped. */
export function balanceLines(text: string, maxEms: number, bold = false): WrappedText {
  let best = wrapText(text, maxEms, bold);
  for (let share = 1 - SHARE_STEP; share >= NARROWEST_SHARE; share -= SHARE_STEP) {
    const candidate = wrapText(text, maxEms * share, bold);
    if (candidate.lines.length > best.lines.length || candidate.brokenWord) break;
    best = candidate;
  }
  return best;
}

/** The smallest parts that stay together: a word with the punctuation and the space behind it. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(text.replace(/\s+/g, ' ').trim())) {
    const last = pieces.at(-1);
    const mayBreak =
      last === undefined || isWide(segment.charAt(0)) || isWide(last.slice(-1)) || last.endsWith(' ');
    const stays = last !== undefined && (segment === ' ' || NOT_AT_LINE_START.test(segment));
    if (mayBreak && !stays) pieces.push(segment);
    else pieces[pieces.length - 1] = (last ?? '') + segment;
  }
  return pieces;
}
