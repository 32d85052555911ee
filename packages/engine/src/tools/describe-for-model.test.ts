import type { JsonObject, JsonValue } from '@plinth/protocol';
import { aCall, aServerTool } from '@plinth/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentProblem } from './call-arguments.js';
import { describeForModel } from './describe-for-model.js';
import { schemaErrors } from './json-schema.js';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['headline', 'size'],
  additionalProperties: false,
  properties: {
    headline: { type: 'string', minLength: 3 },
    size: { enum: ['A3', 'A4'] },
    copies: { type: 'integer', minimum: 1, maximum: 10 },
    colours: { type: 'array', items: { type: 'object', properties: { share: { type: 'number' } } } },
    paper: {
      oneOf: [
        { type: 'object', required: ['stock'], properties: { stock: { enum: ['matt', 'gloss'] } } },
        { type: 'string', minLength: 5 },
      ],
    },
  },
};

const told = (value: JsonValue, schema = SCHEMA): string => describeForModel(schemaErrors(schema, value));

describe('what a model is told of arguments that do not fit', () => {
  it('all that is wrong at once: where, what was expected, and what came', () => {
    expect(
      told({ headline: 7, size: 'A5', copies: 11, colours: [{}, { share: 'half' }], sise: 'A3' }),
    ).toMatchInlineSnapshot(`
      "- sise is not a field here; the fields are headline, size, copies, colours, paper
      - headline must be string; it is 7 (number)
      - size must be one of "A3", "A4"; it is "A5" (string)
      - copies must be <= 10; it is 11 (number)
      - colours.1.share must be number; it is "half" (string)"
    `);
  });

  it('a field that is missing, with what it should hold', () => {
    expect(told({})).toBe('- headline is required: string\n- size is required: one of "A3", "A4"');
  });

  it('a choice between forms is one problem, which says what is wrong with each form', () => {
    expect(told({ headline: 'Tea', size: 'A3', paper: { stock: 'thick' } })).toBe(
      '- paper must take one of 2 forms; it is {"stock":"thick"} (object): (1) paper.stock must be one of "matt", "gloss"; it is "thick" (string); (2) paper must be string; it is {"stock":"thick"} (object)',
    );
  });

  it('no more than eight problems, and how many there are besides', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`f${n}`, { type: 'number' }]),
    );
    const lines = told(Object.fromEntries(Object.keys(properties).map((key) => [key, 'x'])), {
      type: 'object',
      properties,
    }).split('\n');
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toBe('- and 22 more');
  });

  it('a long value and a long list of choices are cut', () => {
    const choices = Array.from({ length: 500 }, (_, n) => `choice ${n}`);
    const text = told({ c: 'x'.repeat(10_000) }, { type: 'object', properties: { c: { enum: choices } } });
    expect(text).toContain('and 480 more');
    expect(text.length).toBeLessThan(700);
  });

  it('whatever the value is, the text is bounded and names each problem that it tells', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const errors = schemaErrors(SCHEMA, value as JsonValue);
        const text = describeForModel(errors);
        expect(text.length).toBeLessThan(9 * 610);
        expect(text === '').toBe(errors.length === 0);
      }),
    );
  });

  const problem = (argumentsRaw: string) =>
    argumentProblem(aCall({ argumentsRaw }), aServerTool('draw', { parameters: SCHEMA }));

  it.each([
    ['[1]', 'but [1] (array)'],
    ['null', 'but null (null)'],
    ['"Tea"', 'but "Tea" (string)'],
    ['{"headline":', 'valid JSON'],
  ])('%s is no object of arguments, and the model is told why', (text, says) => {
    expect(problem(text)).toContain('The arguments are not a JSON object');
    expect(problem(text)).toContain(says);
  });

  it('the tool is named, and what to do', () => {
    expect(problem('{"size":"A3"}')).toBe(
      'The arguments do not fit the schema of "draw". Correct this and call again:\n- headline is required: string',
    );
  });
});
