import type { JsonObject, JsonValue } from '@plinth/protocol';
import type { NodeInfo } from '../host-answers.js';
import type { ImportRequest } from './import-request.js';

type Mapping = ImportRequest['inputs'][number];
/** A schema, or why there is none. */
export type ParameterSchema = { ok: true; schema: JsonObject } | { ok: false; problem: string };

/** A list of models may have thousands of entries; a model is not to read them all. */
const MOST_CHOICES = 100;

/**
 * The JSON Schema of one argument.
 *
 * @param info the class of its node as a host describes it; undefined: the workflow's own value tells the type
 * @param value what the workflow says now; the default of an argument that may be left out
 */
export function parameterSchema(
  mapping: Mapping,
  info: NodeInfo | undefined,
  value: JsonValue,
): ParameterSchema {
  const words: JsonObject = {};
  if (mapping.title !== undefined) words.title = mapping.title;
  if (mapping.description !== undefined) words.description = mapping.description;
  if (mapping.kind !== 'value') {
    const description = `Id of an artifact of this conversation, of kind ${mapping.kind}.`;
    return { ok: true, schema: { type: 'string', minLength: 1, description, ...words } };
  }
  const typed = info
    ? schemaOfSpec(mapping, info, value)
    : { ok: true as const, schema: schemaOfValue(value) };
  if (!typed.ok) return typed;
  const fallback: JsonObject = mapping.required ? {} : { default: value };
  return { ok: true, schema: { ...typed.schema, ...fallback, ...words } };
}

function schemaOfSpec({ input }: Mapping, { input: specs }: NodeInfo, value: JsonValue): ParameterSchema {
  const spec = specs.required[input] ?? specs.optional[input];
  if (!spec) {
    const names = [...Object.keys(specs.required), ...Object.keys(specs.optional)].join(', ');
    return { ok: false, problem: `is no input of this node at the host; its inputs are ${names}` };
  }
  const [type, more] = spec;
  const config = isObject(more) ? more : {};
  if (Array.isArray(type)) return { ok: true, schema: schemaOfChoices(type) };
  switch (type) {
    case 'INT':
      return { ok: true, schema: { type: 'integer', ...boundsOf(config) } };
    case 'FLOAT':
      return { ok: true, schema: { type: 'number', ...boundsOf(config) } };
    case 'STRING':
      return { ok: true, schema: { type: 'string' } };
    case 'BOOLEAN':
      return { ok: true, schema: { type: 'boolean' } };
    case 'COMBO':
      return { ok: true, schema: schemaOfChoices(Array.isArray(config.options) ? config.options : []) };
    case '*':
      return { ok: true, schema: schemaOfValue(value) };
    default:
      return { ok: false, problem: `takes ${type} from another node, and no value` };
  }
}

/** The type of what stands there now, and nothing more. */
function schemaOfValue(value: JsonValue): JsonObject {
  if (typeof value === 'string') return { type: 'string' };
  // A whole number says nothing of whether a fraction is taken.
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  return {};
}

function schemaOfChoices(choices: readonly unknown[]): JsonObject {
  const texts = choices.filter((choice): choice is string => typeof choice === 'string');
  return texts.length > 0 && texts.length === choices.length && texts.length <= MOST_CHOICES
    ? { type: 'string', enum: texts }
    : { type: 'string' };
}

function boundsOf({ min, max }: Record<string, unknown>): JsonObject {
  const bounds: JsonObject = {};
  // Seeds go up to 2^64, which JSON cannot carry exactly.
  if (typeof min === 'number') bounds.minimum = Math.max(min, Number.MIN_SAFE_INTEGER);
  if (typeof max === 'number') bounds.maximum = Math.min(max, Number.MAX_SAFE_INTEGER);
  return bounds;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
