import type { AskUserField, JsonObject, JsonValue } from '@plinth/protocol';
import type { FieldProblems } from '../schema-fields.js';
import type { UiStrings } from '../strings.js';

/** What the controls hold: text as it was typed, the chosen value, or the chosen values. */
export type AskDraft = Readonly<Record<string, string | readonly string[]>>;

/** `yes_no` is chosen like two options. */
export const YES = 'yes';
export const NO = 'no';

export const emptyDraft = (fields: readonly AskUserField[]): AskDraft =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type === 'choices' ? [] : '']));

type Read = { value: JsonValue | undefined } | { problem: string };

function readField(field: AskUserField, given: AskDraft[string], strings: UiStrings): Read {
  const missing: Read = field.required ? { problem: strings.fieldRequired } : { value: undefined };
  if (typeof given !== 'string') return given.length === 0 ? missing : { value: [...given] };
  if (given.trim() === '') return missing;
  switch (field.type) {
    case 'number':
      return readNumber(field, given, strings);
    case 'yes_no':
      return { value: given === YES };
    default:
      return { value: given };
  }
}

/** A comma for the decimals is what half of the world types. */
function readNumber({ min, max }: AskUserField, typed: string, strings: UiStrings): Read {
  const value = Number(typed.trim().replace(/^([+-]?\d*),(\d+)$/, '$1.$2'));
  if (!Number.isFinite(value)) return { problem: strings.fieldNotANumber };
  if (min !== null && value < min) return { problem: strings.fieldTooSmall(min) };
  if (max !== null && value > max) return { problem: strings.fieldTooLarge(max) };
  return { value };
}

/** The answer that the controls stand for, or what is wrong with which field. The server checks it again. */
export function readAskDraft(
  fields: readonly AskUserField[],
  draft: AskDraft,
  strings: UiStrings,
): { ok: true; value: JsonObject } | { ok: false; problems: FieldProblems } {
  const value: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const read = readField(field, draft[field.name] ?? '', strings);
    if ('problem' in read) problems[field.name] = read.problem;
    else if (read.value !== undefined) value[field.name] = read.value;
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, value };
}
