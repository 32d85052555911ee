import type { JsonValue } from '@plinth/protocol';

/** `{{path.to.field}}` stands for what the result has there; `length` of a list or an object is how many it holds. */
const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
const PATH = /^[^\s.{}]+(\.[^\s.{}]+)*$/;
const LONGEST_VALUE = 200;
const LONGEST_SUMMARY = 1000;

/** Null when the template can be filled in; else what is wrong with it. */
export function templateProblem(template: string): string | null {
  const bad = [...template.matchAll(PLACE)].map(([, path = '']) => path).find((path) => !PATH.test(path));
  if (bad !== undefined) return `"{{${bad}}}" must name a field, such as {{orders.0.id}}`;
  return /\{\{|\}\}/.test(template.replace(PLACE, ''))
    ? 'has braces that do not belong together; write {{field}}'
    : null;
}

function at(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value))
    return step === 'length' ? value.length : /^\d+$/.test(step) ? value[Number(step)] : undefined;
  if (Object.hasOwn(value, step)) return value[step];
  return step === 'length' ? Object.keys(value).length : undefined;
}

/** Not in the middle of a character: half of one is no valid text for the ledger. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The line about a structured result; null for one that is not. What the result lacks reads as `–`. */
export function renderSummary(template: string | undefined, value: JsonValue): string | null {
  if (template === undefined || typeof value !== 'object' || value === null) return null;
  const line = template.replace(PLACE, (_all, path: string) => {
    const found = path.split('.').reduce<JsonValue | undefined>(at, value);
    if (found === undefined || found === null) return '–';
    return cut(typeof found === 'string' ? found : JSON.stringify(found), LONGEST_VALUE);
  });
  return cut(line, LONGEST_SUMMARY);
}
