/**
 * Markdown, first level: a text is cut into blocks. The cut is by lines and looks only ahead, so while a
 * text streams in, the finished blocks stay exactly the same objects and are not drawn again.
 */
import { type CodeBlock, FENCE, goOnWithCode, startCode } from './markdown-code-block.js';
import { endOfLine } from './markdown-line-end.js';
import { isTableStart } from './markdown-table-rows.js';

export type TextBlockKind = 'paragraph' | 'heading' | 'list' | 'quote' | 'rule' | 'table';

/** `start` is where the block begins in the text that was cut. */
export type TextBlock = { kind: TextBlockKind; start: number; source: string };

export type Block = TextBlock | CodeBlock;

const HEADING = /^#{1,6}\s/;
const RULE = /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/;
const QUOTE = /^ {0,3}>/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;

/** Cuts a text into blocks. A code block that is not closed yet reaches to the end. */
export function splitBlocks(text: string): Block[] {
  return cutFrom(text, 0);
}

/**
 * Cuts one growing text again and again. What is given is compared with what was given before: when it only
 * goes on, the last block is cut anew, or, being code, read on from where it stood.
 */
export function createBlockReader(): (text: string) => readonly Block[] {
  let known = '';
  let blocks: readonly Block[] = [];
  return (text) => {
    if (text === known) return blocks;
    blocks = text.startsWith(known) ? goOn(text, known, blocks) : cutFrom(text, 0);
    known = text;
    return blocks;
  };
}

function goOn(text: string, known: string, blocks: readonly Block[]): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return cutFrom(text, 0);
  const before = blocks.at(-2);
  if (before !== undefined && canTakeBack(before, last, known)) {
    const again = cutFrom(text, before.start);
    if (isSame(again[0], before)) again[0] = before;
    return [...blocks.slice(0, -2), ...again];
  }
  const kept = blocks.slice(0, -1);
  if (last.kind !== 'code') return [...kept, ...cutFrom(text, last.start)];
  const code = goOnWithCode(last, text);
  return code.closedAt === null ? [...kept, code] : [...kept, code, ...cutFrom(text, code.closedAt)];
}

/**
 * Whether the last block may yet turn out to be the end of the one before. What a line is, is known when it is
 * complete, and where a table begins, when its second line is: `---` ends a paragraph, and `---a` goes on with it.
 */
function canTakeBack(before: Block, last: Block, known: string): boolean {
  if (before.kind === 'code' || before.kind === 'heading' || before.kind === 'rule') return false;
  const first = endOfLine(known, last.start);
  return !first.isComplete || !endOfLine(known, first.end).isComplete;
}

function isSame(one: Block | undefined, other: Block): boolean {
  return (
    one?.kind === other.kind && one.kind !== 'code' && other.kind !== 'code' && one.source === other.source
  );
}

function cutFrom(text: string, from: number): Block[] {
  const lines = new Lines(text, from);
  const blocks: Block[] = [];
  while (!lines.isAtEnd) {
    const kind = kindAt(lines, 0);
    if (kind === null) {
      lines.skip(1);
    } else if (kind === 'code') {
      const code = goOnWithCode(startCode(text, lines.offset), text);
      blocks.push(code);
      if (code.closedAt === null) break;
      lines.moveTo(code.closedAt);
    } else {
      const start = lines.offset;
      blocks.push({ kind, start, source: lines.take(lengthOf(kind, lines)) });
    }
  }
  return blocks;
}

/** The lines of a text one after the other, with a look at those ahead. A text is never split as a whole. */
class Lines {
  offset: number;
  private ahead: { text: string; end: number }[] = [];

  constructor(
    private readonly text: string,
    from: number,
  ) {
    this.offset = from;
  }

  get isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }

  /** The line that is `distance` lines ahead; null behind the end. */
  peek(distance: number): string | null {
    while (this.ahead.length <= distance) {
      const start = this.ahead.at(-1)?.end ?? this.offset;
      if (start >= this.text.length) return null;
      const { at, end } = endOfLine(this.text, start);
      this.ahead.push({ text: this.text.slice(start, at), end });
    }
    return this.ahead[distance]?.text ?? null;
  }

  skip(count: number): void {
    this.peek(count - 1);
    this.offset = this.ahead[Math.min(count, this.ahead.length) - 1]?.end ?? this.text.length;
    this.ahead = this.ahead.slice(count);
  }

  moveTo(offset: number): void {
    this.offset = offset;
    this.ahead = [];
  }

  /** The next lines as one text, without empty ones at the end. */
  take(count: number): string {
    this.peek(count - 1);
    const taken = this.ahead.slice(0, count).map((line) => line.text);
    this.skip(count);
    while (taken.length > 1 && (taken.at(-1) ?? '').trim() === '') taken.pop();
    return taken.join('\n');
  }
}

function kindAt(lines: Lines, distance: number): Block['kind'] | null {
  const line = lines.peek(distance);
  if (line === null || line.trim() === '') return null;
  if (FENCE.test(line)) return 'code';
  if (HEADING.test(line)) return 'heading';
  if (RULE.test(line)) return 'rule';
  if (QUOTE.test(line)) return 'quote';
  if (ITEM.test(line)) return 'list';
  if (isTableStart(line, lines.peek(distance + 1))) return 'table';
  return 'paragraph';
}

/** How many lines the block that begins here has. */
function lengthOf(kind: TextBlockKind, lines: Lines): number {
  if (kind === 'heading' || kind === 'rule') return 1;
  if (kind === 'list') return lengthOfList(lines);
  // After its first two lines a table goes on over whatever would be a paragraph.
  const goesOn = kind === 'table' ? 'paragraph' : kind;
  let length = kind === 'table' ? 2 : 1;
  while (kindAt(lines, length) === goesOn) length += 1;
  return length;
}

/** A list goes on over blank lines as long as an item or indented text follows. */
function lengthOfList(lines: Lines): number {
  let afterBlank = false;
  for (let length = 1; ; length += 1) {
    const line = lines.peek(length);
    if (line === null) return length;
    const kind = kindAt(lines, length);
    if (kind !== null) {
      const belongs = kind === 'list' || /^\s{2,}/.test(line) || (kind === 'paragraph' && !afterBlank);
      if (!belongs) return length;
    }
    afterBlank = kind === null;
  }
}

export type ListParts = { ordered: boolean; start: number; items: string[] };

/** The items of a list block, each with its own indentation taken away so that it can be cut again. */
export function readList(source: string): ListParts {
  const marker = /^(\s*)([-*+]|(\d{1,9})[.)])(\s+|$)/;
  const lines = source.split('\n');
  const first = marker.exec(lines[0] ?? '');
  const indent = first?.[1]?.length ?? 0;
  const items: string[][] = [];
  let content = 0;
  for (const line of lines) {
    const match = marker.exec(line);
    const isItem = match !== null && (match[1]?.length ?? 0) < Math.max(content, indent + 1);
    if (isItem) {
      content = match[0].length;
      items.push([line.slice(content)]);
    } else {
      items.at(-1)?.push(dedent(line, content));
    }
  }
  return {
    ordered: first?.[3] !== undefined,
    start: Number(first?.[3] ?? 1),
    items: items.map((item) => item.join('\n')),
  };
}

function dedent(line: string, width: number): string {
  const spaces = line.length - line.trimStart().length;
  return line.slice(Math.min(spaces, width));
}
