import { type InlineNode, parseInline } from './markdown-inline.js';

/** Characters that a piece has before it may end within a line: "1." and "e.g." are no sentences. */
const SHORTEST = 24;
/** Characters after which a piece ends even where no sentence does. */
const LONGEST = 240;

/** How far a text that is still being written has been read aloud. */
export type Spoken = { readonly at: number; readonly inCode: boolean };
export const NOTHING_SPOKEN: Spoken = { at: 0, inCode: false };

/**
 * The next pieces of an answer for a screen reader: whole sentences, without the marks that only format them. Code is named,
 * not read. However the text arrives in parts, the pieces are the same, and none comes twice.
 *
 * @param isWhole nothing more comes: what is left is a piece
 * @param code what is said in the place of a block of code
 */
export function spokenPieces(
  text: string,
  from: Spoken,
  { isWhole, code }: { isWhole: boolean; code: string },
): { pieces: string[]; spoken: Spoken } {
  const pieces: string[] = [];
  let { at, inCode } = from;
  while (at < text.length) {
    const isLineStart = at === 0 || text[at - 1] === '\n';
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd === -1 ? text.length : lineEnd);
    if (inCode || (isLineStart && mayBeFence(line))) {
      if (lineEnd === -1 && !isWhole) break;
      const isFence = /^\s*```/.test(line);
      if (isFence || inCode) {
        if (isFence && !inCode) pieces.push(code);
        inCode = isFence ? !inCode : inCode;
        at += line.length + 1;
        continue;
      }
    }
    const length = pieceLength(line, lineEnd !== -1 || isWhole);
    if (length === null) break;
    const words = readable(line.slice(0, length), isLineStart);
    if (words !== '') pieces.push(words);
    at += length === line.length && lineEnd !== -1 ? length + 1 : length;
  }
  return { pieces, spoken: { at: Math.min(at, text.length), inCode } };
}

/** A line of which no more is known may still become one that opens or closes a block of code. */
const mayBeFence = (line: string) => /^\s*(?:`{1,2}$|```)/.test(line);

/** How much of a line is the next piece; null when that is not known yet. */
function pieceLength(line: string, isLineWhole: boolean): number | null {
  const seen = line.slice(0, LONGEST + 1);
  for (const { index, 0: mark } of seen.matchAll(/[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[”’」』）]*/g)) {
    const end = index + mark.length;
    // More of the same mark may follow.
    if (end === line.length && !isLineWhole) return null;
    if (end >= SHORTEST) return end;
  }
  if (line.length > LONGEST) {
    const space = seen.lastIndexOf(' ');
    return space >= SHORTEST ? space : LONGEST;
  }
  return isLineWhole ? line.length : null;
}

function readable(raw: string, isLineStart: boolean): string {
  const unmarked = isLineStart ? raw.replace(/^[\s>]*(?:#{1,6}\s|[-*+]\s)?/, '') : raw;
  const cells = unmarked.trimStart().startsWith('|') ? unmarked.replaceAll('|', ', ') : unmarked;
  const words = wordsOf(parseInline(cells))
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]+|[\s,]+$/g, '');
  // The line below a table's head, and one that only divides.
  return /[\p{L}\p{N}]/u.test(words) ? words : '';
}

const wordsOf = (nodes: readonly InlineNode[]): string =>
  nodes
    .map((node) =>
      'children' in node
        ? wordsOf(node.children)
        : node.type === 'break'
          ? ' '
          : node.text.replace(/\*{2,3}/g, ''),
    )
    .join('');
