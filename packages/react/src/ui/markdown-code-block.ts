/**
 * A code block that may still be growing. It is kept as chunks that never change again and a tail that does: however
 * long the block is, and however long a line of it, a delta reads and draws no more than that tail.
 */
import { endOfLine } from './markdown-line-end.js';

/** Small enough to be laid out within a few milliseconds, large enough to be few. */
const LINES_PER_CHUNK = 50;
/** Of a line that is longer, as in a minified file. */
const CHARACTERS_PER_CHUNK = 2_000;

export const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export type CodeBlock = {
  kind: 'code';
  /** Where the block begins in the text that was cut. */
  start: number;
  fence: string;
  language: string;
  /** Whole lines, with the line ends, or a piece of a long line. */
  chunks: readonly string[];
  /** What is behind the chunks: lines, of which the last one may be incomplete, or the rest of a long line. */
  tail: string;
  /** Where the tail begins, and where its first incomplete line does. */
  tailStart: number;
  readTo: number;
  linesInTail: number;
  /** The last chunk is a piece of the line that the tail goes on with. */
  isInLine: boolean;
  /** Where the text goes on behind the closing fence; null while there is none. */
  closedAt: number | null;
};

/** The block whose first fence stands at `start`, as yet without its lines. */
export function startCode(text: string, start: number): CodeBlock {
  const { at, end, isComplete } = endOfLine(text, start);
  const line = text.slice(start, at);
  const fence = FENCE.exec(line)?.[1] ?? '```';
  const language = line.trim().slice(fence.length).trim().split(/\s/, 1)[0] ?? '';
  const empty = { chunks: [], tail: '', linesInTail: 0, isInLine: false };
  const begun = { kind: 'code', start, fence, language, ...empty } as const;
  // A first line that is still coming is read again when there is more of it.
  return { ...begun, tailStart: end, readTo: isComplete ? end : start, closedAt: null };
}

/** The block as far as `text` has it; `text` must begin with what the block was read from. */
export function goOnWithCode(block: CodeBlock, text: string): CodeBlock {
  if (block.readTo === block.start) {
    const again = startCode(text, block.start);
    return again.readTo === again.start ? again : goOnWithCode(again, text);
  }
  const chunks = [...block.chunks];
  let { tailStart, readTo, linesInTail, isInLine } = block;
  const cutTo = (next: number) => {
    if (next > tailStart) chunks.push(text.slice(tailStart, next));
    [tailStart, readTo, linesInTail] = [next, next, 0];
  };
  const read = (tail: string) => ({ ...block, chunks, tail, tailStart, readTo, linesInTail, isInLine });
  while (readTo < text.length) {
    const { at, end, isComplete } = endOfLine(text, readTo);
    const isClosing = !isInLine && isClosingFence(text, readTo, at, block.fence);
    if (isClosing) {
      const closing = read(text.slice(tailStart, readTo));
      return isComplete ? { ...closing, closedAt: end } : closing;
    }
    if (at - readTo > CHARACTERS_PER_CHUNK) {
      cutTo(readTo);
      while (at - readTo > CHARACTERS_PER_CHUNK) cutTo(endOfPiece(text, readTo));
      isInLine = true;
    }
    if (!isComplete) return read(text.slice(tailStart, at));
    readTo = end;
    linesInTail += 1;
    if (isInLine || linesInTail === LINES_PER_CHUNK) cutTo(readTo);
    isInLine = false;
  }
  return read(text.slice(tailStart, readTo));
}

/** Never between the two halves of one character. */
function endOfPiece(text: string, start: number): number {
  const end = start + CHARACTERS_PER_CHUNK;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

function isClosingFence(text: string, start: number, end: number, fence: string): boolean {
  // A closing fence is short; a long line is not cut out only to see that it is none.
  if (end - start > 200) return false;
  const line = text.slice(start, end).trim();
  return line.length >= fence.length && line === fence.charAt(0).repeat(line.length);
}

/** All of the code, without the line end before the closing fence. */
export function codeText({ chunks, tail }: Pick<CodeBlock, 'chunks' | 'tail'>): string {
  return (chunks.join('') + tail).replace(/\r\n?/g, '\n').replace(/\n$/, '');
}
