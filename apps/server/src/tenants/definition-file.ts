import { readFile } from 'node:fs/promises';
import type { FieldError } from '@plinth/protocol';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** What a check found in the content of a file. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; fields: FieldError[] };
export type Variables = Readonly<Record<string, string | undefined>>;

/** `problems` has one line for each thing that is wrong: file, line, field, what to do. */
export type ReadFile<Value> =
  | { ok: true; value: Value; lineOf: (path: string) => number }
  | { ok: false; problems: string[] };

export const DEFINITION_FILE = /\.(json|yaml|yml)$/;
const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)\}/g;

/**
 * Reads one YAML or JSON file and checks what it holds. `${NAME}` in its texts stands for the variable of that name.
 *
 * @param path where it is
 * @param name how problems call it
 */
export async function readDefinition<Value>(
  path: string,
  name: string,
  variables: Variables,
  check: (raw: unknown) => Checked<Value>,
): Promise<ReadFile<Value>> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return { ok: false, problems: [`${name}: cannot be read`] };
  const lines = new LineCounter();
  // JSON is read as YAML too, of which it is a part: its problems get their lines by the same way.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors.map(
    ({ pos, message }) => `${name}:${lines.linePos(pos[0]).line}: cannot be understood: ${message}`,
  );
  if (broken.length > 0) return { ok: false, problems: broken };
  const lineOf = (field: string) => lines.linePos(offsetOf(document, field)).line;
  const told = ({ path: field, message }: FieldError) =>
    `${name}:${lineOf(field)}: ${field === '' ? '' : `${field} `}${message}`;

  const unset: FieldError[] = [];
  const raw = filledIn(document.toJS({ maxAliasCount: 100 }), variables, unset, '');
  if (unset.length > 0) return { ok: false, problems: unset.map(told) };
  const checked = check(raw);
  return checked.ok
    ? { ok: true, value: checked.value, lineOf }
    : { ok: false, problems: checked.fields.map(told) };
}

/** Done on the parsed value: a variable's text can never become a part of what is around it. */
function filledIn(value: unknown, variables: Variables, unset: FieldError[], path: string): unknown {
  const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_all, name: string) => {
      const text = variables[name] ?? '';
      if (text === '')
        unset.push({ path, message: `needs the environment variable ${name}, which is not set` });
      return text;
    });
  }
  if (Array.isArray(value)) return value.map((item, n) => filledIn(item, variables, unset, below(n)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filledIn(member, variables, unset, below(key))]),
  );
}

/** Where a field stands; of one that is missing, where the thing stands that lacks it. */
function offsetOf(document: Document, path: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path === '' ? [] : path.split('.')) {
    const found = memberOf(node, step);
    if (found === null) break;
    ({ node, offset } = found);
  }
  return offset;
}

function memberOf(node: unknown, step: string): { node: unknown; offset: number } | null {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? null : { node: item, offset: startOf(item) };
  }
  if (!isMap(node)) return null;
  const pair = node.items.find((one) => isPair(one) && isScalar(one.key) && String(one.key.value) === step);
  return pair ? { node: pair.value, offset: startOf(pair.key) } : null;
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
