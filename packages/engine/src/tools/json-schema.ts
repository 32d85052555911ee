import type { FieldError, JsonObject, JsonValue } from '@plinth/protocol';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { compilePattern } from './safe-patterns.js';

/** Schemas of many tenants meet here: none is kept under its `$id`, so none can refer to, or collide with, another. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  validateFormats: false,
  addUsedSchema: false,
  // Errors bring the value and the schema that it broke: a model is told both.
  verbose: true,
  // The name is for code that is generated into files; ours is not.
  code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
});
/** Compiled validators by schema text: definitions are immutable and few, compiling costs milliseconds. */
const compiled = new Map<string, ValidateFunction>();
const MOST_COMPILED = 2000;

function validatorOf(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  // Its validator would return a promise, which is never false.
  if ('$async' in schema) throw new Error('a schema cannot be asynchronous: remove "$async"');
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  const validator = ajv.compile(schema);
  // Ajv would keep every schema object that it ever saw.
  ajv.removeSchema(schema);
  compiled.set(text, validator);
  return validator;
}

/** The steps of a JSON pointer, as the keys are written. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What a keyword's message leaves out and a reader needs. */
function detailOf({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return `: ${String(params.additionalProperty)}`;
    case 'unevaluatedProperties':
      return `: ${String(params.unevaluatedProperty)}`;
    case 'enum':
      return `: ${JSON.stringify(params.allowedValues)}`;
    case 'const':
      return `: ${JSON.stringify(params.allowedValue)}`;
    default:
      return '';
  }
}

function fieldOf(error: ErrorObject): FieldError {
  const at = stepsOf(error.instancePath);
  if (error.keyword === 'required')
    return { path: [...at, String(error.params.missingProperty)].join('.'), message: 'is required' };
  return { path: at.join('.'), message: `${error.message ?? 'is not valid'}${detailOf(error)}` };
}

/**
 * Checks a value against a JSON Schema (2020-12). An empty list means valid.
 *
 * @throws Error when the schema itself cannot be compiled (refused when a tool is published).
 */
export function validateAgainst(schema: JsonObject, value: JsonValue): FieldError[] {
  return schemaErrors(schema, value).map(fieldOf);
}

/** The same findings as Ajv tells them, with the value and the schema of each. */
export function schemaErrors(schema: JsonObject, value: JsonValue): ErrorObject[] {
  const validator = validatorOf(schema);
  return validator(value) ? [] : (validator.errors ?? []);
}

/** One line for a person or a model: every field and what is wrong with it. */
export function describeFields(fields: readonly FieldError[]): string {
  return fields.map((field) => `${field.path || '(whole value)'} ${field.message}`).join('; ');
}
