import { createHash } from 'node:crypto';

/**
 * JSON with sorted keys and no spaces: one text for each value, however it was written. (For the strings,
 * whole numbers and plain fractions of definitions it is what RFC 8785 prescribes.)
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** SHA-256 of a definition's canonical JSON, in hex. Equal digests mean that nothing changed. */
export function digestOf(definition: unknown): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]),
  );
}
