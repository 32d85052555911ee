import type { FieldError, JsonObject, JsonValue } from '@plinth/protocol';
import { RE2JS } from 're2js';

/**
 * A pattern of a schema is tried on what models, people and services send, in a process that serves many tenants. The
 * backtracking of JavaScript's expressions can take minutes for forty characters; RE2 takes time in proportion to the
 * text, whatever the pattern. It has no look-around and no back-references: tools with such patterns are refused.
 */

/** What repeats a number of times that the pattern leaves open, or may; an escaped sign counts as well. */
const VARIABLE_REPEAT = /[*+?{]/;
const FIXED_COUNT = /(?<!\))\{\d+\}/g;

/** Without such repetition there is nothing to backtrack over: JavaScript's own reading of it is as quick, and exact. */
function isPlain(pattern: string): boolean {
  return !VARIABLE_REPEAT.test(pattern.replace(FIXED_COUNT, ''));
}

interface Pattern {
  test(text: string): boolean;
}

/** @throws Error when RE2 cannot take it */
function linear(pattern: string): Pattern {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/**
 * The expression that a pattern is checked with. One that RE2 cannot take was registered before such were refused: runs
 * that are pinned to it go on.
 *
 * @throws SyntaxError when it is no expression at all
 */
export function compilePattern(pattern: string, flags: string): Pattern {
  const native = new RegExp(pattern, flags);
  if (isPlain(pattern)) return native;
  try {
    return linear(pattern);
  } catch {
    return native;
  }
}

/** Members whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

function problemOf(pattern: string, path: string): FieldError[] {
  try {
    // What is no expression at all is told when the schema is compiled.
    new RegExp(pattern, 'u');
  } catch {
    return [];
  }
  if (isPlain(pattern)) return [];
  try {
    linear(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error);
    const message = `cannot be checked in linear time (${why}). Write it without look-around and back-references, and with counts up to 1000`;
    return [{ path, message }];
  }
}

/** The patterns of a schema that cannot be checked in time proportional to the text, each with its place. */
export function patternProblems(schema: JsonObject, path: string): FieldError[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const at = `${path}.${key}`;
    if (key === 'pattern' && typeof value === 'string') return problemOf(value, at);
    if (DATA.has(key)) return [];
    const keys =
      key === 'patternProperties' && isObject(value)
        ? Object.keys(value).flatMap((pattern) => problemOf(pattern, `${at}.${pattern}`))
        : [];
    return [...keys, ...within(value, at)];
  });
}

function within(value: JsonValue, at: string): FieldError[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => within(item, `${at}.${index}`));
  return isObject(value) ? patternProblems(value, at) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
