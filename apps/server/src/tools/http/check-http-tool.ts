import type { FieldError, HttpExecutorSpec, JsonObject, JsonValue } from '@plinth/protocol';
import { parseUrl } from '../../platform/outbound/hops.js';
import { OutboundError } from '../../platform/outbound/outbound-failure.js';
import { endOfOrigin, placeholdersOf, templateFields } from './http-templates.js';
import { type Placeholder, parseTemplate, type Template } from './template.js';

/** A token of RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The client's own, or about a single connection. */
const TAKEN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
  'proxy-authorization',
  'proxy-connection',
]);

/** What is wrong with the executor of an `http` tool, so that no call of a run finds it out. */
export function httpProblems(spec: HttpExecutorSpec, parameters: JsonObject): FieldError[] {
  return [
    ...templateFields(spec).flatMap(({ field, text }) => templateProblems(field, text, parameters)),
    ...urlProblems(spec.url, parameters),
    ...Object.keys(spec.headers).flatMap(headerProblems),
    ...bodyProblems(spec),
  ];
}

function templateProblems(path: string, text: string, parameters: JsonObject): FieldError[] {
  const template = parsed(text);
  if (typeof template === 'string') return [{ path, message: template }];
  return placeholdersOf(template).flatMap((placeholder) => {
    if (placeholder.from !== 'args' || isDescribed(parameters, placeholder.path)) return [];
    return [
      { path, message: `uses {{args.${placeholder.path.join('.')}}}, which is not among the parameters` },
    ];
  });
}

/** The template, or what cannot be read of it. */
function parsed(text: string): Template | string {
  try {
    return parseTemplate(text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether the schema describes a value at this path, as far as it describes anything there. */
function isDescribed(
  schema: JsonValue | undefined,
  [step, ...more]: readonly string[],
  isRoot = true,
): boolean {
  if (step === undefined) return true;
  const { properties, items } = asObject(schema);
  if (typeof properties === 'object' && properties !== null && Object.hasOwn(properties, step))
    return isDescribed((properties as JsonObject)[step], more, false);
  if (/^\d+$/.test(step) && items !== undefined) return isDescribed(items, more, false);
  // A reference, a combination, or an open object: a run's arguments will tell.
  return !isRoot && properties === undefined;
}

const asObject = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

function urlProblems(url: string, parameters: JsonObject): FieldError[] {
  const path = 'executor.url';
  const end = endOfOrigin(url);
  if (!/^https?:\/\//i.test(url)) return [{ path, message: 'must begin with http:// or https://' }];
  if (url.slice(0, end).includes('{{'))
    return [{ path, message: 'must name its host in full: placeholders may stand after it only' }];
  const template = parsed(url);
  if (typeof template === 'string') return [];
  try {
    parseUrl(template.map((part) => (typeof part === 'string' ? part : 'x')).join(''));
  } catch (error) {
    if (error instanceof OutboundError)
      return [{ path, message: `is not a URL that can be called: it ${error.message}` }];
    throw error;
  }
  return optionalInPath(url, parameters).map((name) => ({
    path,
    message: `uses {{args.${name}}} in its path, so "${name}" must be among the required parameters`,
  }));
}

function optionalInPath(url: string, parameters: JsonObject): string[] {
  const path = url.split(/[?#]/)[0] ?? '';
  const template = parsed(path);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  if (typeof template === 'string') return [];
  return placeholdersOf(template)
    .flatMap((placeholder: Placeholder) => (placeholder.from === 'args' ? placeholder.path.slice(0, 1) : []))
    .filter((name) => !required.includes(name));
}

function headerProblems(name: string): FieldError[] {
  const path = `executor.headers.${name}`;
  if (!HEADER_NAME.test(name)) return [{ path, message: 'is not the name of a header' }];
  return TAKEN_HEADERS.has(name.toLowerCase()) ? [{ path, message: 'is set by the platform' }] : [];
}

function bodyProblems({ method, body, bodyAs }: HttpExecutorSpec): FieldError[] {
  const path = 'executor.body';
  if (body === undefined) return [];
  if (method === 'GET') return [{ path, message: 'cannot be sent with GET' }];
  if (bodyAs === 'text' && typeof body !== 'string')
    return [{ path, message: 'must be a text, since bodyAs is text' }];
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (bodyAs === 'form' && !isObject && typeof body !== 'string')
    return [{ path, message: 'must be an object of fields, since bodyAs is form' }];
  return [];
}
