import type { JsonObject, JsonValue } from '@plinth/protocol';
import { canonicalJson } from './definition-digest.js';

/**
 * Whether one JSON Schema takes everything that another one takes. The whole question cannot be decided, so the
 * answer errs on one side: true is certain, false means "no, or not seen". A member that a schema does not name is
 * taken for unused; a model sends what it was told of.
 */

/** Say nothing about what is valid. `format` is among them: it is not checked. */
const ANNOTATIONS = new Set([
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'examples',
  'format',
  'readOnly',
  'title',
  'writeOnly',
]);

/** Lower is looser. */
const FLOORS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Higher is looser. */
const CEILINGS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const COMPARED = ['type', 'enum', 'const', 'required', 'properties', 'additionalProperties', 'items'];
/** Each only takes something away, whatever stands beside it: a schema that lacks it is looser. */
const DEMANDS = new Set(['pattern', 'multipleOf', 'uniqueItems', 'dependentRequired']);

const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];

type Schema = JsonObject | boolean;

const asSchema = (value: JsonValue | undefined): Schema =>
  typeof value === 'boolean' ? value : asObject(value);

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

const has = (object: JsonObject, key: string): boolean => Object.hasOwn(object, key);
const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null);

/** @param loose takes everything that `tight` takes, if the answer is true */
export function acceptsAllOf(loose: Schema, tight: Schema): boolean {
  if (loose === true || tight === false) return true;
  if (loose === false) return false;
  if (tight === true) return Object.keys(loose).every((key) => ANNOTATIONS.has(key));
  return (
    typesFit(loose, tight) &&
    valuesFit(loose, tight) &&
    boundsFit(loose, tight) &&
    membersFit(loose, tight) &&
    acceptsAllOf(asSchema(loose.items ?? true), asSchema(tight.items ?? true)) &&
    restFits(loose, tight)
  );
}

function typesOf({ type }: JsonObject): JsonValue[] {
  if (type === undefined) return TYPES;
  return Array.isArray(type) ? type : [type];
}

function typesFit(loose: JsonObject, tight: JsonObject): boolean {
  const taken = typesOf(loose);
  return typesOf(tight).every(
    (type) => taken.includes(type) || (type === 'integer' && taken.includes('number')),
  );
}

function valuesOf(schema: JsonObject): JsonValue[] | null {
  if (has(schema, 'const')) return [schema.const ?? null];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function valuesFit(loose: JsonObject, tight: JsonObject): boolean {
  const taken = valuesOf(loose);
  if (taken === null) return true;
  return valuesOf(tight)?.every((value) => taken.some((other) => same(other, value))) ?? false;
}

function boundsFit(loose: JsonObject, tight: JsonObject): boolean {
  const fits = (key: string, isLooser: (a: number, b: number) => boolean) => {
    const [a, b] = [loose[key], tight[key]];
    if (a === undefined) return true;
    return typeof a === 'number' && typeof b === 'number' && isLooser(a, b);
  };
  return (
    FLOORS.every((key) => fits(key, (a, b) => a <= b)) && CEILINGS.every((key) => fits(key, (a, b) => a >= b))
  );
}

function requiredOf({ required }: JsonObject): JsonValue[] {
  return Array.isArray(required) ? required : [];
}

function membersFit(loose: JsonObject, tight: JsonObject): boolean {
  const [taken, given] = [asObject(loose.properties), asObject(tight.properties)];
  const demanded = requiredOf(tight);
  if (!requiredOf(loose).every((name) => demanded.includes(name))) return false;
  if (
    !acceptsAllOf(asSchema(loose.additionalProperties ?? true), asSchema(tight.additionalProperties ?? true))
  )
    return false;
  // One that is gone may still be taken, but nobody looks at it any more.
  return Object.keys(given).every(
    (name) => has(taken, name) && acceptsAllOf(asSchema(taken[name]), asSchema(given[name])),
  );
}

const KNOWN = new Set([...ANNOTATIONS, ...FLOORS, ...CEILINGS, ...COMPARED]);

/** Keywords that are not understood here must say the same in both. */
function restFits(loose: JsonObject, tight: JsonObject): boolean {
  return [...new Set([...Object.keys(loose), ...Object.keys(tight)])].every(
    (key) => KNOWN.has(key) || (DEMANDS.has(key) && !has(loose, key)) || same(loose[key], tight[key]),
  );
}
