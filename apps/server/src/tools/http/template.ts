import type { JsonObject, JsonValue } from '@plinth/protocol';

/** A value to be put in: an argument of the call, by its path, or a secret of the tenant, by its name. */
export type Placeholder =
  | { from: 'args'; path: readonly string[]; asList: boolean }
  | { from: 'secrets'; name: string };
export type Template = readonly (string | Placeholder)[];

export interface TemplateValues {
  args: JsonObject;
  secrets: ReadonlyMap<string, string>;
}

const STEP = /\.([^\s.[\]{}|"]+)|\[("(?:[^"\\]|\\.)*")\]/y;
const PIPE = /^\s*\|\s*list\s*$/;
const SECRET = /^secrets\.([A-Za-z][A-Za-z0-9_]{0,63})$/;

/**
 * Reads a template. Between double braces stands `args` with steps (`.name`, or `["any name"]`), or
 * `secrets.NAME`. `{{args.ids | list}}` writes the items of a list with commas between them.
 *
 * @throws Error that says what cannot be read
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Placeholder)[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    const close = text.indexOf('}}', open);
    if (close < 0) throw new Error('has {{ without }}');
    if (open > at) parts.push(text.slice(at, open));
    parts.push(parsePlaceholder(text.slice(open + 2, close)));
    at = close + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function parsePlaceholder(written: string): Placeholder {
  const text = written.trim();
  const secret = SECRET.exec(text)?.[1];
  if (secret !== undefined) return { from: 'secrets', name: secret };
  if (!text.startsWith('args')) throw unreadable(text);
  const path: string[] = [];
  STEP.lastIndex = 'args'.length;
  let end = STEP.lastIndex;
  for (let step = STEP.exec(text); step !== null; step = STEP.exec(text)) {
    path.push(step[1] ?? parseName(step[2] ?? ''));
    end = STEP.lastIndex;
  }
  const rest = text.slice(end);
  const asList = PIPE.test(rest);
  if (path.length === 0 || (rest !== '' && !asList)) throw unreadable(text);
  return { from: 'args', path, asList };
}

function parseName(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw unreadable(`args[${quoted}]`);
  }
}

const unreadable = (text: string) =>
  new Error(`has {{${text.slice(0, 60)}}}, which is neither {{args.NAME}} nor {{secrets.NAME}}`);

/** The value of a placeholder; undefined when the call does not give it. */
export function placeholderValue(placeholder: Placeholder, values: TemplateValues): JsonValue | undefined {
  const value = givenValueOf(placeholder, values);
  return isList(placeholder, value) ? value.map(textOf).join(',') : value;
}

function givenValueOf(placeholder: Placeholder, { args, secrets }: TemplateValues): JsonValue | undefined {
  if (placeholder.from === 'secrets') return secrets.get(placeholder.name);
  let value: JsonValue | undefined = args;
  for (const step of placeholder.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, JsonValue>)[step];
  }
  return value;
}

function isList(placeholder: Placeholder, value: JsonValue | undefined): value is JsonValue[] {
  return placeholder.from === 'args' && placeholder.asList && Array.isArray(value);
}

/** A value inside a text. What is not there is nothing. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The text of a template, each value passed through `encode`. */
export function renderText(
  template: Template,
  values: TemplateValues,
  encode: (text: string) => string = (text) => text,
): string {
  const rendered = template.map((part) => {
    if (typeof part === 'string') return part;
    const value = givenValueOf(part, values);
    // The commas of a list are not a part of its items.
    return isList(part, value) ? value.map((item) => encode(textOf(item))).join(',') : encode(textOf(value));
  });
  return rendered.join('');
}

/** The placeholder that a template consists of; null when there is more or other than one. */
export function soleOf(template: Template): Placeholder | null {
  const [part, ...more] = template;
  return part !== undefined && typeof part !== 'string' && more.length === 0 ? part : null;
}

/**
 * A JSON value with its texts rendered. A text that is one placeholder becomes its value, with its type; undefined
 * when the call does not give it, and then left out of the object or list around it.
 */
export function renderJson(value: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (typeof value === 'string') {
    const template = parseTemplate(value);
    const sole = soleOf(template);
    return sole === null ? renderText(template, values) : placeholderValue(sole, values);
  }
  if (Array.isArray(value))
    return value.map((item) => renderJson(item, values)).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, renderJson(member, values)] as const);
  return Object.fromEntries(
    members.filter((pair): pair is readonly [string, JsonValue] => pair[1] !== undefined),
  );
}
