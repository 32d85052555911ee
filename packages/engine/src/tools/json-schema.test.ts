import type { JsonObject } from '@plinth/protocol';
import { describe, expect, it } from 'vitest';
import { describeFields, validateAgainst } from './json-schema.js';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['headline', 'size'],
  additionalProperties: false,
  properties: {
    headline: { type: 'string', minLength: 3 },
    size: { enum: ['A3', 'A4'] },
    version: { const: 2 },
    colours: {
      type: 'array',
      maxItems: 2,
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, share: { type: 'number', maximum: 1 } },
      },
    },
    'odd/key~': { type: 'object', required: ['in/side'], properties: { n: { type: 'number' } } },
  },
};

const GOOD = { headline: 'Tea', size: 'A3' };

describe('checking a value against a schema', () => {
  it('a value that fits has no problems', () => {
    expect(validateAgainst(SCHEMA, { ...GOOD, colours: [{ name: 'red', share: 0.5 }] })).toEqual([]);
  });

  it.each([
    ['a missing field is named', { size: 'A3' }, { path: 'headline', message: 'is required' }],
    [
      'a missing field of an item is named with its place',
      { ...GOOD, colours: [{}] },
      { path: 'colours.0.name', message: 'is required' },
    ],
    [
      'a wrong choice lists the right ones',
      { ...GOOD, size: 'A5' },
      { path: 'size', message: 'must be equal to one of the allowed values: ["A3","A4"]' },
    ],
    [
      'a wrong constant says which one is right',
      { ...GOOD, version: 1 },
      { path: 'version', message: 'must be equal to constant: 2' },
    ],
    [
      'a field that is not known is named',
      { ...GOOD, extra: 1 },
      { path: '', message: 'must NOT have additional properties: extra' },
    ],
    [
      'a wrong type says which one is right',
      { ...GOOD, headline: 7 },
      { path: 'headline', message: 'must be string' },
    ],
    [
      'a limit says what it is',
      { ...GOOD, headline: 'a' },
      { path: 'headline', message: 'must NOT have fewer than 3 characters' },
    ],
    [
      'a nested limit is named with its place',
      { ...GOOD, colours: [{ name: 'a', share: 2 }] },
      { path: 'colours.0.share', message: 'must be <= 1' },
    ],
    [
      'a key with odd characters is named as it is written',
      { ...GOOD, 'odd/key~': { 'in/side': 1, n: 'x' } },
      { path: 'odd/key~.n', message: 'must be number' },
    ],
    [
      'so is a missing one',
      { ...GOOD, 'odd/key~': {} },
      { path: 'odd/key~.in/side', message: 'is required' },
    ],
    ['a value that is no object at all', 'Tea', { path: '', message: 'must be object' }],
  ])('%s', (_name, value, problem) => {
    expect(validateAgainst(SCHEMA, value as JsonObject)).toEqual([problem]);
  });

  it('names every problem at once, in one line', () => {
    const fields = validateAgainst(SCHEMA, { size: 'A5', extra: 1, colours: [{}] });
    expect(fields).toHaveLength(4);
    expect(describeFields(fields)).toContain('headline is required; ');
    expect(describeFields([{ path: '', message: 'must be object' }])).toBe('(whole value) must be object');
  });

  it('two schemas of the same $id do not know of each other', () => {
    const first = { $id: 'https://acme.example/args', type: 'object', properties: { n: { type: 'number' } } };
    const second = {
      $id: 'https://acme.example/args',
      type: 'object',
      properties: { n: { type: 'string' } },
    };
    expect(validateAgainst(first, { n: 1 })).toEqual([]);
    expect(validateAgainst(second, { n: 'x' })).toEqual([]);
    expect(validateAgainst(second, { n: 1 })).toHaveLength(1);
  });

  it('a schema cannot refer to the schema of somebody else', () => {
    validateAgainst(
      { $id: 'https://acme.example/secret', type: 'object', properties: { n: { const: 'the secret' } } },
      {},
    );
    expect(() => validateAgainst({ $ref: 'https://acme.example/secret' }, { n: 1 })).toThrow();
  });

  it('a schema cannot switch the check off by calling itself asynchronous', () => {
    expect(() => validateAgainst({ $async: true, type: 'object', required: ['a'] }, {})).toThrow();
  });

  it('a schema that cannot be compiled throws, every time', () => {
    for (let time = 0; time < 2; time += 1)
      expect(() => validateAgainst({ type: 'no such type' }, {})).toThrow();
  });
});
