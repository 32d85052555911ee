import type { JsonObject, JsonValue } from '@plinth/protocol';
import { type ApiDocument, atReference, ImportProblem, isObject } from './api-document.js';

/** Parts of one tool's schemas. A model could not use more, and its context could not bear it. */
const MOST_PARTS = 3000;
const ONE: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
]);
const LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Says nothing to a model, or something only to tools of OpenAPI. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'example',
  'examples',
  'xml',
  'discriminator',
  'externalDocs',
  'nullable',
  '$id',
  '$schema',
  '$comment',
  '$anchor',
]);

/**
 * Makes the schemas of one operation JSON Schema 2020-12 that stands by itself: what they refer to comes along under
 * `$defs` (so that a schema may refer to itself), the dialect of OpenAPI 3.0 is translated, and what only the service
 * itself sets (`readOnly`) is left out.
 */
export class SchemaConverter {
  readonly #names = new Map<string, string>();
  readonly #definitions: JsonObject = {};
  #parts = 0;

  constructor(private readonly document: ApiDocument) {}

  /** What converted schemas refer to; empty when they refer to nothing. */
  get definitions(): JsonObject {
    return this.#definitions;
  }

  /** @throws ImportProblem for references that cannot be followed, and for schemas that are too large */
  convert(schema: JsonValue | undefined): JsonValue {
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) throw new ImportProblem(`has schemas of more than ${MOST_PARTS} parts`);
    if (typeof schema === 'boolean') return schema;
    if (schema === undefined) return {};
    if (!isObject(schema)) throw new ImportProblem('has a schema that is not an object');
    if ('$dynamicRef' in schema)
      throw new ImportProblem('has a schema with $dynamicRef, which is not supported');
    const { $ref: reference, ...rest } = schema;
    if (typeof reference !== 'string') return this.#dialect(this.#members(schema), schema);
    const here = { $ref: `#/$defs/${this.#define(reference)}` };
    // Beside a reference 3.0 allows nothing.
    return this.document.dialect === '3.0' ? here : { ...this.#members(rest), ...here };
  }

  #define(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const wanted = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9_]/g, '_') || 'schema';
    let name = wanted;
    for (let count = 2; Object.hasOwn(this.#definitions, name); count += 1) name = `${wanted}_${count}`;
    this.#names.set(reference, name);
    // Its place is taken before it is converted: it may refer to itself.
    this.#definitions[name] = {};
    this.#definitions[name] = this.convert(atReference(this.document, reference));
    return name;
  }

  #members(schema: JsonObject): JsonObject {
    const converted: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (LEFT_OUT.has(keyword) || keyword.startsWith('x-')) continue;
      converted[keyword] = this.#member(keyword, value);
    }
    const { required } = schema;
    if (Array.isArray(required) && isObject(converted.properties)) {
      const properties = isObject(schema.properties) ? schema.properties : {};
      converted.required = required.filter((name) => !isReadOnly(properties[String(name)]));
    }
    return converted;
  }

  #member(keyword: string, value: JsonValue): JsonValue {
    if (ONE.has(keyword)) return this.convert(value);
    if (LIST.has(keyword) && Array.isArray(value)) return value.map((item) => this.convert(item));
    if (!MAP.has(keyword) || !isObject(value)) return value;
    const kept = Object.entries(value).filter(
      ([, member]) => keyword !== 'properties' || !isReadOnly(member),
    );
    return Object.fromEntries(kept.map(([name, member]) => [name, this.convert(member)]));
  }

  #dialect(converted: JsonObject, { nullable }: JsonObject): JsonValue {
    if (this.document.dialect !== '3.0') return converted;
    for (const [flag, bound] of [
      ['exclusiveMinimum', 'minimum'],
      ['exclusiveMaximum', 'maximum'],
    ] as const) {
      if (typeof converted[flag] !== 'boolean') continue;
      const limit = converted[bound];
      if (converted[flag] && limit !== undefined) {
        converted[flag] = limit;
        delete converted[bound];
      } else delete converted[flag];
    }
    if (nullable !== true) return converted;
    if (typeof converted.type !== 'string') return { anyOf: [converted, { type: 'null' }] };
    const withNull = { ...converted, type: [converted.type, 'null'] };
    return Array.isArray(converted.enum) && !converted.enum.includes(null)
      ? { ...withNull, enum: [...converted.enum, null] }
      : withNull;
  }
}

const isReadOnly = (schema: JsonValue | undefined) => isObject(schema) && schema.readOnly === true;
