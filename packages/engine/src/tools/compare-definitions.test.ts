import type { JsonObject, ToolDefinition } from '@plinth/protocol';
import { aComponentTool, aRemoteTool, aServerTool } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptsAllOf } from './accepts-schema.js';
import { compareDefinitions } from './compare-definitions.js';
import { validateAgainst } from './json-schema.js';

const PARAMETERS: JsonObject = {
  type: 'object',
  required: ['subject'],
  properties: {
    subject: { type: 'string', maxLength: 60 },
    size: { type: 'string', enum: ['A4', 'A3'] },
    copies: { type: 'integer', minimum: 1, maximum: 9 },
  },
};
const pinned = aRemoteTool('order', { parameters: PARAMETERS });

const properties = PARAMETERS.properties as JsonObject;
const withParameters = (parameters: JsonObject): ToolDefinition => ({ ...pinned, parameters });
const withMember = (name: string, schema: JsonObject, more: JsonObject = {}): ToolDefinition =>
  withParameters({ ...PARAMETERS, ...more, properties: { ...properties, [name]: schema } });

describe('what became of a tool that a run is pinned to', () => {
  it('the same words in another order are the same', () => {
    const { type, required, properties } = PARAMETERS;
    expect(
      compareDefinitions(pinned, { ...withParameters({ properties, required, type } as JsonObject) }),
    ).toBe('same');
  });

  it.each<[string, ToolDefinition]>([
    ['another title and description', { ...pinned, title: 'Buy', description: 'Buys it.' }],
    [
      'another description of a member',
      withMember('size', { type: 'string', enum: ['A4', 'A3'], title: 'Size' }),
    ],
    ['a new optional member', withMember('note', { type: 'string' })],
    ['a member that is no longer required', withParameters({ ...PARAMETERS, required: [] })],
    ['a longer text, a larger number', withMember('copies', { type: 'integer', minimum: 0, maximum: 99 })],
    ['one more choice', withMember('size', { type: 'string', enum: ['A4', 'A3', 'A2'] })],
    ['a number where an integer was', withMember('copies', { type: 'number' })],
    ['other limits of time', { ...pinned, timeoutMs: 1000, waitTimeoutSeconds: 5 }],
    [
      'a service that has moved',
      { ...pinned, executor: { kind: 'remote', url: 'https://new.example/jobs' } },
    ],
  ])('%s: compatible', (_name, current) => {
    expect(compareDefinitions(pinned, current)).toBe('compatible');
  });

  it.each<[string, ToolDefinition | null]>([
    ['a tool that is gone', null],
    ['a new required member', withMember('note', { type: 'string' }, { required: ['subject', 'note'] })],
    ['a member that became required', withParameters({ ...PARAMETERS, required: ['subject', 'size'] })],
    ['a member of another type', withMember('copies', { type: 'string' })],
    ['a member that is gone', withParameters({ ...PARAMETERS, properties: { subject: { type: 'string' } } })],
    ['one choice less', withMember('size', { type: 'string', enum: ['A4'] })],
    ['a shorter text', withMember('subject', { type: 'string', maxLength: 10 })],
    ['a pattern that was not there', withMember('subject', { type: 'string', maxLength: 60, pattern: '^x' })],
    ['nothing besides the named members', withParameters({ ...PARAMETERS, additionalProperties: false })],
    ['a rule that is not understood', withParameters({ ...PARAMETERS, anyOf: [{ required: ['size'] }] })],
    ['another kind of executor', { ...pinned, executor: { kind: 'builtin', name: 'current_time' } }],
  ])('%s: breaking', (_name, current) => {
    expect(compareDefinitions(pinned, current)).toBe('breaking');
  });

  it('a form: the page of today submits, and the pinned schema checks it', () => {
    const form = (submit: JsonObject) => aComponentTool('form', { submit });
    const loose = form({ type: 'object', properties: { text: { type: 'string' } } });
    const tight = form({ type: 'object', properties: { text: { type: 'string', maxLength: 5 } } });
    expect(compareDefinitions(loose, tight)).toBe('compatible');
    expect(compareDefinitions(tight, loose)).toBe('breaking');
    const renamed = { ...loose, executor: { ...loose.executor, component: 'Other' } } as ToolDefinition;
    expect(compareDefinitions(loose, renamed)).toBe('breaking');
    expect(compareDefinitions(loose, aServerTool('form'))).toBe('breaking');
  });
});

const scalar: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(
    { type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 4 }) },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<JsonObject>,
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.nat(2),
      maximum: fc.integer({ min: 2, max: 5 }),
    },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<JsonObject>,
  fc.record({ enum: fc.subarray(['a', 'ab', 1, null], { minLength: 1 }) }) as fc.Arbitrary<JsonObject>,
  fc.constant<JsonObject>({}),
);
const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ any: JsonObject }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.record({ type: fc.constant('array'), items: tie('any') }) as fc.Arbitrary<JsonObject>,
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
        required: fc.subarray(['a', 'b', 'c']),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ['type', 'properties'] },
    ) as fc.Arbitrary<JsonObject>,
  ),
})).any;

const leaf = fc.constantFrom<unknown>('', 'a', 'ab', 'abc', 0, 1, 2, 3, 1.5, 4, null, true);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
  ),
})).any;

/** Takes away the members that the schema does not name: they are taken for unused. */
function named(value: unknown, schema: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, (schema.items ?? {}) as JsonObject));
  if (typeof value !== 'object' || value === null) return value;
  const members = (schema.properties ?? {}) as Record<string, JsonObject>;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => Object.hasOwn(members, name))
      .map(([name, member]) => [name, named(member, members[name] ?? {})]),
  );
}

const DROPPED = ['minLength', 'maxLength', 'minimum', 'maximum', 'required', 'additionalProperties', 'enum'];

/** The schema without some of its demands, at every level. */
function loosened(schema: JsonObject, without: readonly string[]): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !without.includes(key));
  return Object.fromEntries(
    kept.map(([key, part]) => {
      if (key === 'items') return [key, loosened(part as JsonObject, without)];
      if (key !== 'properties') return [key, part];
      const members = Object.entries(part as Record<string, JsonObject>);
      return [key, Object.fromEntries(members.map(([name, member]) => [name, loosened(member, without)]))];
    }),
  );
}

/** Two schemas, often one that was loosened. */
const pair = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, fc.subarray(DROPPED)).map(([any, without]) => [loosened(any, without), any] as const),
);

describe('a schema that accepts all of another', () => {
  it('accepts every value of it that is made of named members', () => {
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 5, maxLength: 10 }), ([loose, tight], values) => {
        fc.pre(acceptsAllOf(loose, tight));
        for (const any of values) {
          const given = named(any, tight) as never;
          if (validateAgainst(tight, given).length === 0) expect(validateAgainst(loose, given)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  }, 30_000);

  it('accepts itself, with and without words, and whatever is tightened', () => {
    fc.assert(
      fc.property(schema, fc.subarray(DROPPED), fc.string(), (any, without, title) => {
        expect(acceptsAllOf(any, any)).toBe(true);
        expect(acceptsAllOf({ ...any, title, description: title }, any)).toBe(true);
        expect(acceptsAllOf(loosened(any, without), any)).toBe(true);
        expect(acceptsAllOf(any, { ...any, pattern: 'x', multipleOf: 2 })).toBe(true);
        expect(acceptsAllOf(any, false)).toBe(true);
        expect(acceptsAllOf({ ...any, pattern: 'x' }, any)).toBe(false);
      }),
    );
  });
});
