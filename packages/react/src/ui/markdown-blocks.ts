/**
 * Markdown, first level: a text is cut into blocks. The cut is by lines and looks only ahead, so while a
 * text streams in, all blocks but the last stay exactly the same strings and are not drawn again.
 */
export type BlockKind = 'paragraph' | 'heading' | 'code' | 'list' | 'quote' | 'rule';

export type RawBlock = { kind: BlockKind; lines: string[] };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^#{1,6}\s/;
const RULE = /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/;
const QUOTE = /^ {0,3}>/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)/;

/** Cuts a text into blocks. A code block that is not closed yet reaches to the end. */
export function splitBlocks(text: string): RawBlock[] {
  const lines = text.split(/\r\n|\r|\n/);
  const blocks: RawBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    const kind = kindOf(lines[at] ?? '');
    if (kind === null) {
      at += 1;
      continue;
    }
    const end = endOf(kind, lines, at);
    blocks.push({ kind, lines: trimEnd(lines.slice(at, end)) });
    at = end;
  }
  return blocks;
}

function kindOf(line: string): BlockKind | null {
  if (line.trim() === '') return null;
  if (FENCE.test(line)) return 'code';
  if (HEADING.test(line)) return 'heading';
  if (RULE.test(line)) return 'rule';
  if (QUOTE.test(line)) return 'quote';
  if (ITEM.test(line)) return 'list';
  return 'paragraph';
}

function endOf(kind: BlockKind, lines: readonly string[], start: number): number {
  if (kind === 'heading' || kind === 'rule') return start + 1;
  if (kind === 'code') return endOfCode(lines, start);
  if (kind === 'list') return endOfList(lines, start);
  let at = start + 1;
  while (at < lines.length && kindOf(lines[at] ?? '') === kind) at += 1;
  return at;
}

function endOfCode(lines: readonly string[], start: number): number {
  const fence = FENCE.exec(lines[start] ?? '')?.[1] ?? '```';
  for (let at = start + 1; at < lines.length; at += 1) {
    const closing = (lines[at] ?? '').trim();
    if (closing.length >= fence.length && closing === fence.charAt(0).repeat(closing.length)) return at + 1;
  }
  return lines.length;
}

/** A list goes on over blank lines as long as an item or indented text follows. */
function endOfList(lines: readonly string[], start: number): number {
  let afterBlank = false;
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const kind = kindOf(line);
    if (kind !== null) {
      const belongs = kind === 'list' || /^\s{2,}/.test(line) || (kind === 'paragraph' && !afterBlank);
      if (!belongs) return at;
    }
    afterBlank = kind === null;
  }
  return lines.length;
}

function trimEnd(lines: string[]): string[] {
  let length = lines.length;
  while (length > 1 && (lines[length - 1] ?? '').trim() === '') length -= 1;
  return lines.slice(0, length);
}

/** The text of a code block and its language; the closing fence may not have come yet. */
export function readCode(lines: readonly string[]): { language: string; code: string } {
  const [first = '', ...rest] = lines;
  const fence = FENCE.exec(first)?.[1] ?? '```';
  const last = (rest.at(-1) ?? '').trim();
  const closed =
    rest.length > 0 && last.length >= fence.length && last === fence.charAt(0).repeat(last.length);
  const language = first.trim().slice(fence.length).trim().split(/\s/, 1)[0] ?? '';
  return { language, code: (closed ? rest.slice(0, -1) : rest).join('\n') };
}

export type ListItem = { lines: string[] };

/** The items of a list block, each with its own indentation taken away so that it can be cut again. */
export function readList(lines: readonly string[]): { ordered: boolean; start: number; items: ListItem[] } {
  const marker = /^(\s*)([-*+]|(\d{1,9})[.)])(\s+|$)/;
  const first = marker.exec(lines[0] ?? '');
  const indent = first?.[1]?.length ?? 0;
  const items: ListItem[] = [];
  let content = 0;
  for (const line of lines) {
    const match = marker.exec(line);
    const isItem = match !== null && (match[1]?.length ?? 0) < Math.max(content, indent + 1);
    if (isItem) {
      content = match[0].length;
      items.push({ lines: [line.slice(content)] });
    } else {
      items.at(-1)?.lines.push(dedent(line, content));
    }
  }
  return { ordered: first?.[3] !== undefined, start: Number(first?.[3] ?? 1), items };
}

function dedent(line: string, width: number): string {
  const spaces = line.length - line.trimStart().length;
  return line.slice(Math.min(spaces, width));
}
