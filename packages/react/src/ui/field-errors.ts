import type { FieldError } from '@plinth/protocol';
import type { FieldProblems } from './schema-fields.js';

/**
 * Sorts the server's errors to the fields of a form. Paths may be written as `/answer/value/date`,
 * `value.date` or `date`: the first part that names a field counts. What names none is for the whole form.
 */
export function sortFieldErrors(
  errors: readonly FieldError[],
  names: readonly string[],
): { byField: FieldProblems; general: string[] } {
  const byField: Record<string, string> = {};
  const general: string[] = [];
  for (const { path, message } of errors) {
    const name = path.split(/[/.[\]]+/).find((part) => names.includes(part));
    if (name === undefined) general.push(path === '' ? message : `${path}: ${message}`);
    else byField[name] ??= message;
  }
  return { byField, general };
}
