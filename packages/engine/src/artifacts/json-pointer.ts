import type { JsonValue } from '@plinth/protocol';

export type Pointed = { ok: true; value: JsonValue } | { ok: false; message: string };

/** Names that an error lists, so that a model can choose one. */
const NAMED = 20;

function contents(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length} items, the first is 0`;
  if (typeof value !== 'object' || value === null)
    return `a ${value === null ? 'null' : typeof value}, with nothing in it`;
  const names = Object.keys(value);
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : '';
  const listed = names.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, 100)));
  return `an object with ${listed.length === 0 ? 'no members' : `the members ${listed.join(', ')}${more}`}`;
}

/** The value that a JSON Pointer (RFC 6901) names; else where it left the value, and what is there. */
export function pointInto(value: JsonValue, pointer: string): Pointed {
  if (pointer === '') return { ok: true, value };
  if (!pointer.startsWith('/'))
    return {
      ok: false,
      message: `query must be a JSON Pointer such as "/orders/0", got ${JSON.stringify(pointer)}.`,
    };
  let found = value;
  let way = '';
  for (const written of pointer.split('/').slice(1)) {
    const step = written.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: JsonValue | undefined = Array.isArray(found)
      ? /^(0|[1-9]\d*)$/.test(step)
        ? found[Number(step)]
        : undefined
      : typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? found[step]
        : undefined;
    if (next === undefined)
      return {
        ok: false,
        message: `There is no ${JSON.stringify(step)} at "${way}": that is ${contents(found)}.`,
      };
    found = next;
    way += `/${written}`;
  }
  return { ok: true, value: found };
}
