import type { JsonObject, JsonValue } from '@plinth/protocol';
import type { UiStrings } from './strings.js';

/**
 * A form from the JSON Schema of a tool's arguments: one simple control for each simple property, a box
 * of JSON for everything else. It checks what a person gets wrong; the server checks all of it again.
 */
export type SchemaField = {
  name: string;
  title: string | null;
  description: string | null;
  required: boolean;
  control: 'text' | 'color' | 'number' | 'boolean' | 'choice' | 'json';
  choices: readonly (string | number)[];
  rules: JsonObject;
};

/** How a field and one of its choices are called for the reader. */
export type FieldWords = {
  label: (field: SchemaField) => string;
  choice: (field: SchemaField, value: string | number) => string;
};

/** What the controls hold: text as it was typed, `true`/`false` for a checkbox. */
export type Draft = Readonly<Record<string, string | boolean>>;

export type FieldProblems = Readonly<Record<string, string>>;

/** The fields in the schema's order, then the arguments that the schema does not name. */
export function schemaFields(schema: JsonObject, args: JsonObject): SchemaField[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  return names.map((name) => toField(name, properties[name], required.has(name)));
}

function toField(name: string, schema: JsonValue | undefined, required: boolean): SchemaField {
  const rules = isObject(schema) ? schema : {};
  const choices = Array.isArray(rules.enum) ? rules.enum.filter(isChoice) : [];
  return {
    name,
    title: typeof rules.title === 'string' ? rules.title : null,
    description: typeof rules.description === 'string' ? rules.description : null,
    required,
    control: controlOf(rules, choices.length),
    choices,
    rules,
  };
}

function controlOf(rules: JsonObject, choices: number): SchemaField['control'] {
  const all = Array.isArray(rules.enum) ? rules.enum.length : 0;
  if (all > 0) return choices === all ? 'choice' : 'json';
  if (rules.type === 'boolean') return 'boolean';
  if (rules.type === 'number' || rules.type === 'integer') return 'number';
  if (rules.type !== 'string') return 'json';
  return rules.format === 'color' || rules.pattern === '^#[0-9a-fA-F]{6}$' ? 'color' : 'text';
}

/** The controls' first values. */
export function draftOf(fields: readonly SchemaField[], args: JsonObject): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, draftValue(field, args[field.name])]));
}

function draftValue(field: SchemaField, value: JsonValue | undefined): string | boolean {
  if (field.control === 'boolean') return value === true;
  if (value === undefined) return field.control === 'color' ? '#000000' : '';
  if (field.control === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The arguments that the controls stand for, or what is wrong with which field. */
export function readDraft(
  fields: readonly SchemaField[],
  draft: Draft,
  strings: UiStrings,
): { ok: true; arguments: JsonObject } | { ok: false; problems: FieldProblems } {
  const values: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const read = readField(field, draft[field.name] ?? '', strings);
    if ('problem' in read) problems[field.name] = read.problem;
    else if (read.value !== undefined) values[field.name] = read.value;
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, arguments: values };
}

type Read = { value: JsonValue | undefined } | { problem: string };

function readField(field: SchemaField, typed: string | boolean, strings: UiStrings): Read {
  if (typeof typed === 'boolean') return { value: typed };
  if (typed.trim() === '') return field.required ? { problem: strings.fieldRequired } : { value: undefined };
  switch (field.control) {
    case 'number':
      return readNumber(field.rules, typed, strings);
    case 'choice':
      return { value: field.choices.find((choice) => String(choice) === typed) };
    case 'json':
      return readJson(typed, strings);
    default:
      return readText(field.rules, typed, strings);
  }
}

function readNumber(rules: JsonObject, typed: string, strings: UiStrings): Read {
  const value = Number(typed);
  if (!Number.isFinite(value)) return { problem: strings.fieldNotANumber };
  if (rules.type === 'integer' && !Number.isInteger(value)) return { problem: strings.fieldNotWhole };
  if (typeof rules.minimum === 'number' && value < rules.minimum)
    return { problem: strings.fieldTooSmall(rules.minimum) };
  if (typeof rules.maximum === 'number' && value > rules.maximum)
    return { problem: strings.fieldTooLarge(rules.maximum) };
  return { value };
}

function readText(rules: JsonObject, typed: string, strings: UiStrings): Read {
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...typed].length;
  if (typeof rules.minLength === 'number' && length < rules.minLength)
    return { problem: strings.fieldTooShort(rules.minLength) };
  if (typeof rules.maxLength === 'number' && length > rules.maxLength)
    return { problem: strings.fieldTooLong(rules.maxLength) };
  return matches(rules.pattern, typed) ? { value: typed } : { problem: strings.fieldWrongForm };
}

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: JsonValue | undefined, typed: string): boolean {
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u').test(typed);
  } catch {
    return true;
  }
}

function readJson(typed: string, strings: UiStrings): Read {
  try {
    return { value: JSON.parse(typed) as JsonValue };
  } catch {
    return { problem: strings.fieldNotJson };
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isChoice(value: JsonValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
