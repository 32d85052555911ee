import type { JsonObject, JsonValue, RunError } from '@plinth/protocol';
import { fitsTokens } from '../context/count-tokens.js';
import { shapeValue } from '../tools/shape-value.js';
import { pointInto } from './json-pointer.js';

/** Which part of an artifact a model asks for. Without any: the first page. */
export interface PartRequest {
  /** JSON Pointer into a JSON artifact. */
  query?: string | undefined;
  /** From 1. */
  page?: number | undefined;
  /** Characters of a text, items of a list; `to` is not read. */
  range?: { from: number; to?: number | undefined } | undefined;
}

export type Part = { ok: true; part: JsonObject } | { ok: false; error: RunError };

/** Tokens for what is said about a part. */
const AROUND = 100;
const ITEMS_A_PAGE = 20;
/** Longer steps toward a fit waste room, shorter ones time. */
const SHRINK = 0.75;
const DEEPER = 'Parts are left out. Query deeper: one item or one member.';

const refusal = (code: string, message: string): Part => ({ ok: false, error: { code, message } });

interface Stretch {
  from: number;
  to: number;
  of: number;
  pages: number;
}

/** What of `length` things is asked for. Null when that is outside of them. */
function stretchOf({ page, range }: PartRequest, length: number, aPage: number): Stretch | null {
  const from = range?.from ?? ((page ?? 1) - 1) * aPage;
  const to = Math.min(range?.to ?? from + aPage, length);
  const pages = Math.max(1, Math.ceil(length / aPage));
  return from < to || (from === 0 && length === 0) ? { from, to, of: length, pages } : null;
}

const outside = (unit: string, length: number, aPage: number): Part =>
  refusal(
    'range_out_of_bounds',
    `There are ${length} ${unit}, on ${Math.max(1, Math.ceil(length / aPage))} pages: ask for a page or a range within them.`,
  );

/** Where the model goes on; null at the end. */
const next = (to: number, of: number): JsonValue => (to < of ? { range: { from: to } } : null);

function textPart(text: string, request: PartRequest, maxTokens: number): Part {
  const aPage = maxTokens * 2;
  const stretch = stretchOf(request, text.length, aPage);
  if (stretch === null) return outside('characters', text.length, aPage);
  // Not in the middle of a character.
  const from = /^[\uDC00-\uDFFF]/.test(text.slice(stretch.from)) ? stretch.from + 1 : stretch.from;
  let shown = text.slice(from, stretch.to).replace(/[\uD800-\uDBFF]$/, '');
  while (shown.length > 1 && !fitsTokens(JSON.stringify(shown), maxTokens))
    shown = shown.slice(0, Math.max(1, Math.floor(shown.length * SHRINK))).replace(/[\uD800-\uDBFF]$/, '');
  const to = from + shown.length;
  const { of, pages } = stretch;
  return { ok: true, part: { text: shown, from, to, of, unit: 'characters', pages, next: next(to, of) } };
}

function listPart(list: JsonValue[], request: PartRequest, maxTokens: number): Part {
  const stretch = stretchOf(request, list.length, ITEMS_A_PAGE);
  if (stretch === null) return outside('items', list.length, ITEMS_A_PAGE);
  const { from, of, pages } = stretch;
  let items = list.slice(from, stretch.to);
  while (items.length > 1 && !fitsTokens(JSON.stringify(items), maxTokens))
    items = items.slice(0, Math.max(1, Math.floor(items.length * SHRINK)));
  const to = from + items.length;
  const { value, cut } = shapeValue(items, {
    maxTokens,
    sampleArraysOver: Math.max(ITEMS_A_PAGE, items.length),
  });
  const part: JsonObject = { items: value, from, to, of, unit: 'items', pages, next: next(to, of) };
  return { ok: true, part: cut ? { hint: DEEPER, ...part } : part };
}

function jsonPart(text: string, query: string, request: PartRequest, maxTokens: number): Part {
  let whole: JsonValue;
  try {
    whole = JSON.parse(text) as JsonValue;
  } catch {
    return refusal('not_json', 'This artifact is not JSON: read it by page or range, without query.');
  }
  const pointed = pointInto(whole, query);
  if (!pointed.ok) return refusal('query_without_match', pointed.message);
  const { value } = pointed;
  if (Array.isArray(value)) return listPart(value, request, maxTokens);
  if (typeof value === 'string') return textPart(value, request, maxTokens);
  const shaped = shapeValue(value, { maxTokens, sampleArraysOver: ITEMS_A_PAGE });
  return { ok: true, part: { ...(shaped.cut && { hint: DEEPER }), value: shaped.value } };
}

/**
 * A part of a text artifact that a model can bear. The same request gives the same bytes: pages and ranges count what
 * never changes, and each part says where it ends and how to go on.
 *
 * @param maxTokens of the whole part, what is said about it included
 */
export function readPart(text: string, request: PartRequest, maxTokens: number): Part {
  if (request.page !== undefined && request.range !== undefined)
    return refusal('invalid_arguments', 'Give page or range, not both.');
  const { range } = request;
  if (range?.to !== undefined && range.to <= range.from)
    return refusal('invalid_arguments', 'range.to must be greater than range.from.');
  const room = Math.max(50, maxTokens - AROUND);
  return request.query === undefined
    ? textPart(text, request, room)
    : jsonPart(text, request.query, request, room);
}
