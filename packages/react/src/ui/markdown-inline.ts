/** Markdown, second level: what stands inside one block. Pure; nothing here makes HTML. */
export type InlineNode =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'emphasis'; children: InlineNode[] }
  | { type: 'link'; href: string; children: InlineNode[] };

const MAX_DEPTH = 8;
const SPECIAL = /[\\`*_[!\n]|https?:\/\//g;
// The bounded lengths keep a long run of opening brackets from being searched again and again.
const LINK = /!?\[((?:[^[\]\\\n]|\\.){0,1000})\]\(\s*<?([^\s()<>]{1,2000})>?(?:\s+"[^"\n]{0,500}")?\s*\)/y;
const BARE_URL = /https?:\/\/[^\s<>"'`）】」』，。；！？]{1,2000}/y;

/** Reads emphasis, code, links and line breaks. Whatever is not closed (yet) stays as it was written. */
export function parseInline(text: string, depth = 0): InlineNode[] {
  const nodes: InlineNode[] = [];
  // Marks that nothing closes any more: not searched for again, or a long text would take quadratic time.
  const unclosed = new Set<string>();
  let plain = '';
  let at = 0;
  const flush = () => {
    if (plain !== '') nodes.push({ type: 'text', text: plain });
    plain = '';
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    if (next >= text.length) break;
    const found = depth < MAX_DEPTH ? readSpecial(text, next, depth, unclosed) : null;
    if (found === null) {
      plain += text.charAt(next);
      at = next + 1;
    } else if (typeof found.node === 'string') {
      plain += found.node;
      at = found.end;
    } else {
      flush();
      nodes.push(found.node);
      at = found.end;
    }
  }
  flush();
  return nodes;
}

type Found = { node: InlineNode | string; end: number } | null;

function readSpecial(text: string, at: number, depth: number, unclosed: Set<string>): Found {
  switch (text.charAt(at)) {
    case '\n':
      return { node: { type: 'break' }, end: at + 1 };
    case '\\':
      if (text.charAt(at + 1) === '\n') return { node: { type: 'break' }, end: at + 2 };
      return /[\\`*_{}[\]()#+\-.!>~|]/.test(text.charAt(at + 1))
        ? { node: text.charAt(at + 1), end: at + 2 }
        : null;
    case '`':
      return readCodeSpan(text, at);
    case '*':
    case '_':
      return readEmphasis(text, at, depth, unclosed);
    case 'h':
      return readBareUrl(text, at);
    default:
      return readLink(text, at, depth);
  }
}

function readCodeSpan(text: string, at: number): Found {
  let ticks = 1;
  while (text.charAt(at + ticks) === '`') ticks += 1;
  const fence = '`'.repeat(ticks);
  const close = text.indexOf(fence, at + ticks);
  if (close < 0) return { node: fence, end: at + ticks };
  return { node: { type: 'code', text: text.slice(at + ticks, close).trim() }, end: close + ticks };
}

function readEmphasis(text: string, at: number, depth: number, unclosed: Set<string>): Found {
  const mark = text.charAt(at);
  const size = text.charAt(at + 1) === mark ? 2 : 1;
  const fence = mark.repeat(size);
  const start = at + size;
  const asWritten: Found = { node: fence, end: start };
  // snake_case words are not emphasis.
  if (mark === '_' && /\w/.test(text.charAt(at - 1))) return asWritten;
  if (/\s|^$/.test(text.charAt(start)) || unclosed.has(fence)) return asWritten;
  const close = findClose(text, start, mark, size);
  if (close < 0) {
    unclosed.add(fence);
    return asWritten;
  }
  const children = parseInline(text.slice(start, close), depth + 1);
  return { node: { type: size === 2 ? 'strong' : 'emphasis', children }, end: close + size };
}

function findClose(text: string, start: number, mark: string, size: number): number {
  const fence = mark.repeat(size);
  for (let at = text.indexOf(fence, start + 1); at >= 0; at = text.indexOf(fence, at + 1)) {
    // Of a longer run the last marks close: in `**a *b***` the first one belongs to the inner emphasis.
    while (size === 2 && text.charAt(at + size) === mark) at += 1;
    const before = text.charAt(at - 1);
    const single = size === 1 && (before === mark || text.charAt(at + 1) === mark);
    const insideWord = mark === '_' && /\w/.test(text.charAt(at + size));
    if (!/[\s\\]/.test(before) && !single && !insideWord) return at;
  }
  return -1;
}

/** An image is shown as a link: a text must not make the reader's browser load something. */
function readLink(text: string, at: number, depth: number): Found {
  LINK.lastIndex = at;
  const match = LINK.exec(text);
  if (match === null) return null;
  const label = match[1] === '' ? (match[2] ?? '') : (match[1] ?? '');
  const href = safeHref(match[2] ?? '');
  const children = parseInline(label, depth + 1).filter((node) => node.type !== 'link');
  const shown: InlineNode[] = children.length > 0 ? children : [{ type: 'text', text: label }];
  if (href === null)
    return {
      node: shown.length === 1 && shown[0]?.type === 'text' ? shown[0].text : label,
      end: LINK.lastIndex,
    };
  return { node: { type: 'link', href, children: shown }, end: LINK.lastIndex };
}

function readBareUrl(text: string, at: number): Found {
  BARE_URL.lastIndex = at;
  const match = BARE_URL.exec(text)?.[0].replace(/[.,;:!?)\]*_]+$/, '');
  const href = match === undefined ? null : safeHref(match);
  if (match === undefined || href === null) return null;
  return { node: { type: 'link', href, children: [{ type: 'text', text: match }] }, end: at + match.length };
}

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** The address as the browser reads it, null unless it is absolute and of a protocol that cannot run code. */
export function safeHref(address: string): string | null {
  try {
    const url = new URL(address);
    return SAFE_PROTOCOLS.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
