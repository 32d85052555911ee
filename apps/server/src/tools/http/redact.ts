import type { JsonValue } from '@plinth/protocol';

/** Shorter ones stand in too many innocent texts. */
const SHORTEST = 5;

/**
 * Takes the values of secrets out of what a service says: some repeat the request that they were sent. Also in
 * percent-encoded form. Takes out NUL too, which no text in Postgres can hold.
 */
export function redactor(secrets: ReadonlyMap<string, string>): <T extends JsonValue>(value: T) => T {
  const hidden = [...secrets].flatMap(([name, value]) =>
    value.length < SHORTEST
      ? []
      : [...new Set([value, encodeURIComponent(value)])].map((form) => ({ form, mark: `[secret ${name}]` })),
  );
  // The longest first: one secret may be the beginning of another.
  hidden.sort((a, b) => b.form.length - a.form.length);
  const inText = (text: string) =>
    hidden.reduce((left, { form, mark }) => left.replaceAll(form, mark), text.replaceAll('\0', ''));
  const inValue = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [inText(key), inValue(member)]));
  };
  return <T extends JsonValue>(value: T) => inValue(value) as T;
}
