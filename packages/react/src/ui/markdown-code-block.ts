/**
 * A code block that may still be growing. It is kept as chunks of whole lines that never change again and one
 * piece at the end that does: however long the block is, a delta reads and draws no more than that piece.
 */
import { endOfLine } from './markdown-line-end.js';

/** Small enough to be laid out within a few milliseconds, large enough to be few. */
const LINES_PER_CHUNK = 50;

export const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export type CodeBlock = {
  kind: 'code';
  /** Where the block begins in the text that was cut. */
  start: number;
  fence: string;
  language: string;
  /** Whole lines, with the line ends. */
  chunks: readonly string[];
  /** The lines behind the chunks; the last one may be incomplete. */
  tail: string;
  /** Where the tail begins, and where its first incomplete line does. */
  tailStart: number;
  readTo: number;
  linesInTail: number;
  /** Where the text goes on behind the closing fence; null while there is none. */
  closedAt: number | null;
};

/** The block whose first fence stands at `start`, as yet without its lines. */
export function startCode(text: string, start: number): CodeBlock {
  const { at, end, isComplete } = endOfLine(text, start);
  const line = text.slice(start, at);
  const fence = FENCE.exec(line)?.[1] ?? '```';
  const language = line.trim().slice(fence.length).trim().split(/\s/, 1)[0] ?? '';
  const begun = { kind: 'code', start, fence, language, chunks: [], tail: '', linesInTail: 0 } as const;
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
  let { tailStart, readTo, linesInTail } = block;
  while (readTo < text.length) {
    const { at, end, isComplete } = endOfLine(text, readTo);
    const isClosing = isClosingFence(text, readTo, at, block.fence);
    if (!isComplete) {
      const tail = text.slice(tailStart, isClosing ? readTo : at);
      return { ...block, chunks, tail, tailStart, readTo, linesInTail };
    }
    if (isClosing)
      return {
        ...block,
        chunks,
        tail: text.slice(tailStart, readTo),
        tailStart,
        readTo,
        linesInTail,
        closedAt: end,
      };
    readTo = end;
    linesInTail += 1;
    if (linesInTail === LINES_PER_CHUNK) {
      chunks.push(text.slice(tailStart, readTo));
      tailStart = readTo;
      linesInTail = 0;
    }
  }
  return { ...block, chunks, tail: text.slice(tailStart, readTo), tailStart, readTo, linesInTail };
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
