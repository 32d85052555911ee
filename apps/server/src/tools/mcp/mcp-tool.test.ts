import type { JsonObject } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTaken } from './is-taken.js';
import { definitionOf, keyOf, readTools } from './mcp-tool.js';

const ALL = { include: ['*'], exclude: [] };
const SERVER = { key: 'files', definition: { timeoutMs: 5_000 } };
const aTool = (rest: JsonObject = {}): JsonObject => ({
  name: 'read',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  ...rest,
});

function only(raw: JsonObject) {
  const { tools, refused } = readTools([raw], ALL);
  const [tool] = tools;
  if (tool === undefined) throw new Error(`refused: ${JSON.stringify(refused)}`);
  return tool;
}
const define = (raw: JsonObject, confirm: 'by_hints' | 'always' | 'never' = 'by_hints') => {
  const made = definitionOf(SERVER, only(raw), 'files_read', confirm);
  if (!made.ok) throw new Error(JSON.stringify(made.fields));
  return made.tool;
};

describe('the list of a server', () => {
  test('is read tool by tool: one that is no good is named with its reason and hides no other', () => {
    const { tools, refused } = readTools(
      [
        aTool(),
        { name: 'bare' },
        { inputSchema: { type: 'object' } },
        'nonsense',
        aTool({ name: 'choice', inputSchema: { type: 'object', anyOf: [] } }),
        aTool({ name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(40_000) } }),
      ],
      ALL,
    );
    expect(tools.map(({ name }) => name)).toEqual(['read']);
    expect(refused.map(({ tool, problems }) => [tool, problems[0]?.path])).toEqual([
      ['bare', 'inputSchema'],
      ['number 3 of the list', 'name'],
      ['number 4 of the list', ''],
      ['choice', 'inputSchema.anyOf'],
      ['large', 'inputSchema'],
    ]);
  });

  test('holds what the registration includes and does not exclude', () => {
    const names = ['read_file', 'read_all', 'write_file', 'a.b'].map((name) => aTool({ name }));
    const taken = (include: string[], exclude: string[]) =>
      readTools(names, { include, exclude }).tools.map(({ name }) => name);
    expect(taken(['read_*'], ['*_all'])).toEqual(['read_file']);
    expect(taken(['a.?'], [])).toEqual([]);
    expect(taken(['*'], ['*_*'])).toEqual(['a.b']);
    expect(isTaken('a(b)*c', { include: ['a(b)*c'], exclude: [] })).toBe(true);
  });
});

describe('a tool of a server', () => {
  test('takes the schema over in a form that endpoints take', () => {
    const inputSchema = { type: 'object', properties: { tags: { type: 'array' } }, required: ['tags'] };
    expect(define(aTool({ inputSchema })).parameters).toEqual({
      type: 'object',
      properties: { tags: { type: 'array', items: {} } },
      required: ['tags'],
    });
    expect(define(aTool({ inputSchema: { type: 'object' } })).parameters).toEqual({
      type: 'object',
      properties: {},
    });
  });

  test.each<{ hints: JsonObject | undefined; confirm: string; idempotent: boolean }>([
    { hints: undefined, confirm: 'always', idempotent: false },
    { hints: { readOnlyHint: true }, confirm: 'never', idempotent: true },
    { hints: { destructiveHint: false }, confirm: 'never', idempotent: false },
    { hints: { idempotentHint: true }, confirm: 'always', idempotent: true },
  ])('that says $hints of itself is confirmed $confirm, and repeatable: $idempotent', (rule) => {
    const annotations: JsonObject = rule.hints === undefined ? {} : { annotations: rule.hints };
    const tool = define(aTool(annotations));
    expect(tool).toMatchObject({ requireConfirmation: rule.confirm, idempotent: rule.idempotent });
    expect(define(aTool(annotations), 'always').requireConfirmation).toBe('always');
    expect(define(aTool(annotations), 'never').requireConfirmation).toBe('never');
  });

  test('has the time of its server, and words where it gives none', () => {
    expect(define(aTool())).toMatchObject({
      title: 'read',
      description: 'read',
      timeoutMs: 5_000,
      executor: { kind: 'mcp', server: 'files', tool: 'read' },
    });
    const long = define(aTool({ title: 'T'.repeat(200), description: 'd'.repeat(9000) }));
    expect([long.title.length, long.description.length]).toEqual([100, 4000]);
  });

  test('promises what the server says of its results', () => {
    const outputSchema = { type: 'object', properties: { total: { type: 'number' } } };
    expect(define(aTool({ outputSchema })).output).toEqual(outputSchema);
    expect(define(aTool())).not.toHaveProperty('output');
  });

  test('whose schema is none is refused', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'nonsense' } } };
    expect(definitionOf(SERVER, only(aTool({ inputSchema })), 'k', 'never')).toMatchObject({
      ok: false,
      fields: [{ path: 'parameters' }],
    });
  });
});

test('a key is one that tools may have, whatever the words, and different words keep different keys', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), (words) => {
      expect(keyOf(words)).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
    }),
  );
  const long = 'a_very_long_name_'.repeat(6);
  expect(keyOf(`${long}1`)).not.toBe(keyOf(`${long}2`));
});
