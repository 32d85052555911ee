import type { JsonValue } from '@plinth/protocol';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { stepsOf } from './json-schema.js';

/** Problems that are told at once. A model that has made more has misunderstood something larger. */
const MOST_PROBLEMS = 8;
/** Problems that are told of one form of a choice between forms. */
const MOST_OF_A_FORM = 2;
const MOST_VALUES = 20;
const LONGEST_VALUE = 80;
/** Characters of one problem, whatever a schema of a thousand branches has to say. */
const LONGEST_PROBLEM = 600;

/**
 * What is wrong with a value, for the model that has written it: where, what was expected, what came instead. Bounded,
 * so that a result never outgrows the arguments that it is about.
 */
export function describeForModel(errors: readonly ErrorObject[]): string {
  const told = withoutBranches(errors);
  const lines = told
    .slice(0, MOST_PROBLEMS)
    .map((error) => `- ${cut(problemOf(error, errors), LONGEST_PROBLEM)}`);
  const more = told.length - lines.length;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

/** A value as JSON, with its kind, not longer than a line. */
export function quoted(value: unknown): string {
  return `${cut(JSON.stringify(value) ?? 'nothing', LONGEST_VALUE)} (${kindOf(value)})`;
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

const isBranchOf = (choice: ErrorObject, error: ErrorObject): boolean =>
  error !== choice &&
  error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
  error.instancePath.startsWith(choice.instancePath);

/** Which forms a value could have taken is said at the choice itself, not as problems of their own. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter(isChoice);
  return errors.filter((error) => !choices.some((choice) => isBranchOf(choice, error)));
}

function problemOf(error: ErrorObject, all: readonly ErrorObject[]): string {
  const { keyword, params, data } = error;
  const steps = stepsOf(error.instancePath);
  const at = placeOf(steps);
  switch (keyword) {
    case 'required':
      return `${placeOf([...steps, String(params.missingProperty)])} is required${expectedOf(error)}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `${placeOf([...steps, String(params.additionalProperty ?? params.unevaluatedProperty)])} is not a field here${fieldsOf(error)}`;
    case 'enum':
      return `${at} must be one of ${listed(params.allowedValues as JsonValue[])}; it is ${quoted(data)}`;
    case 'const':
      return `${at} must be ${JSON.stringify(params.allowedValue)}; it is ${quoted(data)}`;
    case 'anyOf':
    case 'oneOf':
      return choiceProblem(error, at, all);
    default:
      return `${at} ${error.message ?? 'is not valid'}; it is ${quoted(data)}`;
  }
}

function choiceProblem(choice: ErrorObject, at: string, all: readonly ErrorObject[]): string {
  if (choice.keyword === 'oneOf' && Array.isArray(choice.params.passingSchemas))
    return `${at} must match only one of its forms, and matches two; it is ${quoted(choice.data)}`;
  const forms = new Map<string, ErrorObject[]>();
  for (const error of withoutBranches(all.filter((one) => isBranchOf(choice, one)))) {
    const form = error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '';
    forms.set(form, [...(forms.get(form) ?? []), error]);
  }
  const told = [...forms.values()].map(
    (errors, index) =>
      `(${index + 1}) ${errors
        .slice(0, MOST_OF_A_FORM)
        .map((error) => problemOf(error, all))
        .join(', ')}`,
  );
  return `${at} must take one of ${told.length} forms; it is ${quoted(choice.data)}: ${told.join('; ')}`;
}

const placeOf = (steps: readonly string[]): string => (steps.length === 0 ? '(the whole)' : steps.join('.'));

/** What a missing field should hold, as far as one word says it. */
function expectedOf({ params, parentSchema }: ErrorObject): string {
  const wanted: unknown = parentSchema?.properties?.[String(params.missingProperty)];
  if (typeof wanted !== 'object' || wanted === null) return '';
  if ('enum' in wanted && Array.isArray(wanted.enum)) return `: one of ${listed(wanted.enum)}`;
  return 'type' in wanted ? `: ${String(wanted.type)}` : '';
}

function fieldsOf({ parentSchema }: ErrorObject): string {
  const names = Object.keys(parentSchema?.properties ?? {});
  return names.length === 0 ? '' : `; the fields are ${firstOf(names).join(', ')}`;
}

const listed = (values: readonly JsonValue[]): string =>
  firstOf(values.map((value) => cut(JSON.stringify(value), LONGEST_VALUE))).join(', ');

function firstOf(texts: readonly string[]): string[] {
  const more = texts.length - MOST_VALUES;
  return [...texts.slice(0, MOST_VALUES), ...(more > 0 ? [`and ${more} more`] : [])];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not in the middle of a character: half of one is no valid text for the ledger.
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
