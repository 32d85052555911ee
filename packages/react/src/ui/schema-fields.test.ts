import type { JsonObject } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { sortFieldErrors } from './field-errors.js';
import { type Draft, draftOf, readDraft, schemaFields } from './schema-fields.js';
import { EN } from './strings-en.js';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['headline', 'copies', 'size'],
  properties: {
    headline: { type: 'string', title: 'Headline', minLength: 2, maxLength: 5, pattern: '^[^!]*$' },
    note: { type: 'string' },
    copies: { type: 'integer', minimum: 1, maximum: 9 },
    scale: { type: 'number' },
    glossy: { type: 'boolean' },
    size: { enum: ['A4', 'A3'] },
    level: { enum: [1, 2] },
    mixed: { enum: ['a', null] },
    background: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    places: { type: 'array', items: { type: 'string' } },
  },
};
const ARGS: JsonObject = {
  headline: 'Tea',
  copies: 2,
  size: 'A4',
  background: '#ffffff',
  places: ['door'],
  extra: { a: 1 },
};

function read(change: Draft) {
  const fields = schemaFields(SCHEMA, ARGS);
  return readDraft(fields, { ...draftOf(fields, ARGS), ...change }, EN);
}

describe('a form from a JSON Schema', () => {
  test('simple properties get simple controls, everything else a box of JSON', () => {
    const controls = Object.fromEntries(
      schemaFields(SCHEMA, ARGS).map((field) => [field.name, field.control]),
    );
    expect(controls).toEqual({
      headline: 'text',
      note: 'text',
      copies: 'number',
      scale: 'number',
      glossy: 'boolean',
      size: 'choice',
      level: 'choice',
      mixed: 'json',
      background: 'color',
      places: 'json',
      extra: 'json',
    });
  });

  test('arguments that were not touched come back as they were; empty optional ones stay away', () => {
    expect(read({})).toEqual({ ok: true, arguments: { ...ARGS, glossy: false } });
  });

  test('typed values get the type that the schema asks for', () => {
    const result = read({ copies: '7', scale: '1.5', level: '2', places: '["till"]', note: 'n' });
    expect(result).toMatchObject({
      ok: true,
      arguments: { copies: 7, scale: 1.5, level: 2, places: ['till'], note: 'n' },
    });
  });

  test.each([
    [{ headline: ' ' }, 'headline', EN.fieldRequired],
    [{ headline: 'x' }, 'headline', EN.fieldTooShort(2)],
    [{ headline: 'xxxxxx' }, 'headline', EN.fieldTooLong(5)],
    [{ headline: 'no!' }, 'headline', EN.fieldWrongForm],
    [{ copies: 'two' }, 'copies', EN.fieldNotANumber],
    [{ copies: '1.5' }, 'copies', EN.fieldNotWhole],
    [{ copies: '0' }, 'copies', EN.fieldTooSmall(1)],
    [{ copies: '10' }, 'copies', EN.fieldTooLarge(9)],
    [{ size: '' }, 'size', EN.fieldRequired],
    [{ places: '[' }, 'places', EN.fieldNotJson],
  ])('%o is refused with words for the person', (change: Draft, field, problem) => {
    expect(read(change)).toEqual({ ok: false, problems: { [field]: problem } });
  });

  test('length is counted in characters, not in UTF-16 units', () => {
    expect(read({ headline: '🍵🍵🍵🍵🍵' })).toMatchObject({ ok: true });
  });

  test('a schema that says nothing, or a pattern that no browser reads, is left to the server', () => {
    expect(schemaFields({}, { a: 'x' })).toMatchObject([{ name: 'a', control: 'json' }]);
    const fields = schemaFields({ properties: { a: { type: 'string', pattern: '(' } } }, {});
    expect(readDraft(fields, { a: 'x' }, EN)).toEqual({ ok: true, arguments: { a: 'x' } });
  });
});

describe("the server's field errors", () => {
  test.each(['headline', '/headline', '/answer/value/headline', 'answer.arguments.headline', '/headline/0'])(
    'the path %s names the field headline',
    (path) => {
      expect(sortFieldErrors([{ path, message: 'no' }], ['headline'])).toEqual({
        byField: { headline: 'no' },
        general: [],
      });
    },
  );

  test('what names no field is for the whole form, and the first error of a field counts', () => {
    const errors = [
      { path: '', message: 'all wrong' },
      { path: '/other', message: 'unknown' },
      { path: 'a', message: 'first' },
      { path: 'a', message: 'second' },
    ];
    expect(sortFieldErrors(errors, ['a'])).toEqual({
      byField: { a: 'first' },
      general: ['all wrong', '/other: unknown'],
    });
  });
});
