import type { FieldError, JsonObject, JsonValue } from '@plinth/protocol';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
/** Compiled validators by schema text: definitions are immutable and few, compiling costs milliseconds. */
const compiled = new Map<string, ValidateFunction>();
const MOST_COMPILED = 2000;

function validatorOf(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  const validator = ajv.compile(schema);
  compiled.set(text, validator);
  return validator;
}

function fieldOf(error: ErrorObject): FieldError {
  const missing = error.keyword === 'required' ? `/${String(error.params.missingProperty)}` : '';
  const extra = error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty)}` : '';
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params.allowedValues)}` : '';
  return {
    path: (error.instancePath + missing).replace(/^\//, '').replaceAll('/', '.'),
    message: `${missing ? 'is required' : (error.message ?? 'is not valid')}${extra}${allowed}`,
  };
}

/**
 * Checks a value against a JSON Schema (2020-12). An empty list means valid.
 *
 * @throws Error when the schema itself cannot be compiled (refused when a tool is published).
 */
export function validateAgainst(schema: JsonObject, value: JsonValue): FieldError[] {
  const validator = validatorOf(schema);
  return validator(value) ? [] : (validator.errors ?? []).map(fieldOf);
}

/** One line for a person or a model: every field and what is wrong with it. */
export function describeFields(fields: readonly FieldError[]): string {
  return fields.map((field) => `${field.path || '(whole value)'} ${field.message}`).join('; ');
}
