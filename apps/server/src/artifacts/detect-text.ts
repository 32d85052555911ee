import { extname } from 'node:path';
import type { DetectedType, TypeHints } from './detected-type.js';

const CODE = 'code';
const plain = (mimeType: string): DetectedType => ({ kind: CODE, mimeType });

/** Kinds of text that only a name can tell. None of them is run by a browser that is told not to guess. */
const BY_EXTENSION: Record<string, DetectedType> = {
  '.md': { kind: 'document', mimeType: 'text/markdown' },
  '.markdown': { kind: 'document', mimeType: 'text/markdown' },
  '.csv': { kind: 'table', mimeType: 'text/csv' },
  '.tsv': { kind: 'table', mimeType: 'text/tab-separated-values' },
  '.css': plain('text/css'),
  '.js': plain('text/javascript'),
  '.mjs': plain('text/javascript'),
  '.jsx': plain('text/javascript'),
  '.ts': plain('text/x-typescript'),
  '.tsx': plain('text/x-typescript'),
  '.py': plain('text/x-python'),
  '.go': plain('text/x-go'),
  '.rs': plain('text/x-rust'),
  '.java': plain('text/x-java'),
  '.c': plain('text/x-c'),
  '.h': plain('text/x-c'),
  '.cpp': plain('text/x-c++'),
  '.sh': plain('text/x-shellscript'),
  '.sql': plain('text/x-sql'),
  '.yaml': plain('text/x-yaml'),
  '.yml': plain('text/x-yaml'),
};
const BY_CONTENT_TYPE: Record<string, DetectedType> = {
  'text/markdown': { kind: 'document', mimeType: 'text/markdown' },
  'text/csv': { kind: 'table', mimeType: 'text/csv' },
  'text/tab-separated-values': { kind: 'table', mimeType: 'text/tab-separated-values' },
};
const PLAIN: DetectedType = { kind: 'document', mimeType: 'text/plain' };

/** Control characters that text has no use for. */
const BINARY = /[\u0000-\u0008\u000E-\u001A\u001C-\u001F]/;
/** What may stand before the first element: declarations, comments, white space. */
const PROLOGUE = /^(?:\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!doctype\s+svg[^>[]*(?:\[[^\]]*\])?[^>]*>)+/i;
const SVG = /^<(?:[a-z][\w.-]*:)?svg[\s>/]/i;
/** The marks by which browsers take a text for HTML. */
const HTML =
  /^<(?:!doctype\s+html|html|head|body|script|style|title|iframe|h1|h2|h3|div|font|table|a|p|br|b|meta|link|form|article|section|main)[\s>/]/i;
const XML = /^(?:<\?xml\s|<[a-z][\w.:-]*[\s>/])/i;

/** What a text is; null when the bytes are not text in UTF-8. */
export function detectText(bytes: Uint8Array, hints: TypeHints): DetectedType | null {
  const text = decode(bytes);
  if (text === null) return null;
  const start = text.replace(PROLOGUE, '');
  if (SVG.test(start)) return { kind: 'image', mimeType: 'image/svg+xml' };
  if (HTML.test(start)) return { kind: 'html', mimeType: 'text/html' };
  const json = readJson(text);
  if (json !== undefined)
    return { kind: isListOfRecords(json) ? 'table' : CODE, mimeType: 'application/json' };
  if (XML.test(text.trimStart())) return { kind: CODE, mimeType: 'application/xml' };
  const extension = extname(hints.name ?? '').toLowerCase();
  const contentType = (hints.contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return (
    BY_EXTENSION[extension] ?? BY_CONTENT_TYPE[contentType] ?? (looksLikeTable(text) ? csv(text) : PLAIN)
  );
}

/** Whether bytes are text in UTF-8, without the control characters that text has no use for. */
export function isText(bytes: Uint8Array): boolean {
  return decode(bytes) !== null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    // Drops a byte order mark; throws on what is not UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return BINARY.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Undefined: it is no JSON object or list. */
function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Two or more records of single values: rows and columns, whatever wrote them. */
function isListOfRecords(value: unknown): boolean {
  const isRecord = (item: unknown): item is object =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && Object.keys(item).length > 0;
  return (
    Array.isArray(value) &&
    value.length >= 2 &&
    value.every(
      (item) =>
        isRecord(item) && Object.values(item).every((cell) => typeof cell !== 'object' || cell === null),
    )
  );
}

const SAMPLED_LINES = 10;

/** At least three lines with the same number of cells. Two cells with a comma between are prose more often. */
function looksLikeTable(text: string): boolean {
  const lines = text
    .split(/\r?\n/, SAMPLED_LINES + 1)
    .filter((line) => line !== '')
    .slice(0, SAMPLED_LINES);
  const separator = separatorOf(text);
  const [columns = 0, ...others] = new Set(
    lines.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length),
  );
  return lines.length >= 3 && others.length === 0 && columns >= (separator === ',' ? 3 : 2);
}

function separatorOf(text: string): ',' | '\t' | ';' {
  const [first = ''] = text.split('\n', 1);
  if (first.includes('\t')) return '\t';
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

function csv(text: string): DetectedType {
  return { kind: 'table', mimeType: separatorOf(text) === '\t' ? 'text/tab-separated-values' : 'text/csv' };
}
