import type { FieldError } from '@plinth/protocol';

/**
 * Fields that somebody wrote and a schema does not know, found by what it left out. A definition with one is refused:
 * a misspelt `requireConfirmation` must not become a tool that asks nobody.
 */
export function unknownFields(raw: unknown, parsed: unknown, path = ''): FieldError[] {
  const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (Array.isArray(raw) && Array.isArray(parsed))
    return raw.flatMap((item, index) => unknownFields(item, parsed[index], below(index)));
  if (!isObject(raw) || !isObject(parsed)) return [];
  return Object.entries(raw).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? unknownFields(value, parsed[name], below(name))
      : [{ path: below(name), message: 'is not a field here' }],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
