import type { FieldError, JsonObject, JsonValue } from '@plinth/protocol';

/**
 * MCP takes any object schema; the endpoints of models take less, and one tool that they refuse costs the whole request.
 */

/** What OpenAI-compatible endpoints refuse at the top of a tool's parameters. */
const NOT_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];

export function endpointProblems(schema: JsonObject): FieldError[] {
  return NOT_AT_TOP.filter((keyword) => keyword in schema).map((keyword) => ({
    path: `inputSchema.${keyword}`,
    message: 'endpoints of models refuse it at the top of a schema',
  }));
}

/** The same schema in a form that endpoints take: objects with `properties` at the top, lists with `items`. */
export function forEndpoints(schema: JsonObject): JsonObject {
  const whole = withItems(schema) as JsonObject;
  return 'properties' in whole ? whole : { ...whole, properties: {} };
}

function withItems(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withItems);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withItems(member)]));
  const isOpenList = inner.type === 'array' && !('items' in inner) && !('prefixItems' in inner);
  return isOpenList ? { ...inner, items: {} } : inner;
}
