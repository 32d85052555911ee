import type { FieldError, HttpExecutorSpec, JsonValue } from '@plinth/protocol';
import { endOfOrigin } from './http-templates.js';
import {
  parseTemplate,
  placeholderValue,
  renderJson,
  renderText,
  type Template,
  type TemplateValues,
  textOf,
} from './template.js';

export interface RenderedRequest {
  method: string;
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string | null;
}

export type Rendering = { ok: true; request: RenderedRequest } | { ok: false; fields: FieldError[] };

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;
/** What a header's value may hold (RFC 9110, 5.5), as Node sends it. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request of one call. `fields` names arguments with which there is none. */
export function renderRequest(spec: HttpExecutorSpec, values: TemplateValues): Rendering {
  const url = renderUrl(spec.url, values);
  const headers = renderHeaders(spec.headers, values);
  const fields = [...url.fields, ...headers.fields];
  if (fields.length > 0) return { ok: false, fields };
  const body = renderBody(spec, values);
  return {
    ok: true,
    request: {
      method: spec.method,
      url: withQuery(url.text, spec.query, values),
      headers: {
        ...(body === null ? {} : { 'content-type': MEDIA_TYPES[spec.bodyAs] }),
        ...headers.rendered,
      },
      body,
    },
  };
}

function renderUrl(text: string, values: TemplateValues): { text: string; fields: FieldError[] } {
  const [withoutFragment = ''] = text.split('#');
  const queryAt = withoutFragment.indexOf('?');
  const beforeQuery = queryAt < 0 ? withoutFragment : withoutFragment.slice(0, queryAt);
  const query = queryAt < 0 ? '' : withoutFragment.slice(queryAt);
  const path = parseTemplate(beforeQuery);
  const rendered = renderText(path, values, encode);
  const fields = [...missingIn(path, values), ...climbingIn(rendered, path)];
  return { text: rendered + renderText(parseTemplate(query), values, encode), fields };
}

/** RFC 3986 reserves `!'()*` too. */
const encode = (text: string) => encodeURIComponent(toWellFormed(text)).replace(/[!'()*]/g, percent);
const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
/** Half of a surrogate pair has no encoding. */
const toWellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\uFFFD');

/** A segment that is left empty would be another resource: the whole list instead of one item of it. */
function missingIn(path: Template, values: TemplateValues): FieldError[] {
  return path.flatMap((part) => {
    if (typeof part === 'string' || textOf(placeholderValue(part, values)) !== '') return [];
    const name = part.from === 'args' ? part.path.join('.') : part.name;
    return [{ path: name, message: 'must not be empty: it is a part of the address' }];
  });
}

/** `.` and `..` are resolved by whoever reads the URL, also when they are percent-encoded. */
function climbingIn(rendered: string, path: Template): FieldError[] {
  const segments = rendered.slice(endOfOrigin(rendered)).split('/');
  if (!segments.some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return [];
  const names = path.flatMap((part) =>
    typeof part !== 'string' && part.from === 'args' ? [part.path.join('.')] : [],
  );
  return [{ path: names.join(', '), message: 'must not be "." or "..": it is a part of the address' }];
}

function renderHeaders(
  headers: HttpExecutorSpec['headers'],
  values: TemplateValues,
): { rendered: Record<string, string>; fields: FieldError[] } {
  const rendered: Record<string, string> = {};
  const fields: FieldError[] = [];
  for (const [name, text] of Object.entries(headers)) {
    const value = renderJson(text, values);
    if (value === undefined || value === null) continue;
    const asText = textOf(value);
    if (HEADER_VALUE.test(asText)) rendered[name.toLowerCase()] = asText;
    else fields.push({ path: name, message: 'has characters that a header cannot hold' });
  }
  return { rendered, fields };
}

function withQuery(url: string, query: HttpExecutorSpec['query'], values: TemplateValues): string {
  const pairs = pairsOf(renderJson(query, values)).toString();
  if (pairs === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs}`;
}

/** Fields of a query or a form: a list repeats its name, what is null is left out. */
function pairsOf(fields: JsonValue | undefined): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, JsonValue>))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== null) pairs.append(name, textOf(item));
  return pairs;
}

function renderBody({ body, bodyAs }: HttpExecutorSpec, values: TemplateValues): string | null {
  if (body === undefined) return null;
  const value = renderJson(body, values);
  if (value === undefined) return null;
  if (bodyAs === 'json') return JSON.stringify(value);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return bodyAs === 'form' && isObject ? pairsOf(value).toString() : textOf(value);
}
