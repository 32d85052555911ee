import type { JsonObject, JsonValue } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate, renderJson, renderText } from './template.js';

const valuesOf = (args: JsonObject, secrets: Record<string, string> = {}) => ({
  args,
  secrets: new Map(Object.entries(secrets)),
});
const text = (template: string, args: JsonObject) => renderText(parseTemplate(template), valuesOf(args));
const json = (template: JsonValue, args: JsonObject) => renderJson(template, valuesOf(args, { KEY: 's3' }));

describe('a template', () => {
  test('puts arguments in by their path, and secrets by their name', () => {
    expect(
      text('a {{args.b}} {{ args.c.d }} {{args.list.1}}', { b: 'B', c: { d: 2 }, list: [1, true] }),
    ).toBe('a B 2 true');
    expect(json('Bearer {{secrets.KEY}}', {})).toBe('Bearer s3');
    expect(text('{{args["filter[a.b]"]}}', { 'filter[a.b]': 'x' })).toBe('x');
    expect(text('{{args.ids | list}}', { ids: [1, 'b'] })).toBe('1,b');
  });

  test('that is one placeholder keeps the type, and is left out when nothing is given', () => {
    expect(
      json(
        { n: '{{args.n}}', o: '{{args.o}}', gone: '{{args.gone}}', kept: 1, list: ['{{args.gone}}', 'x'] },
        { n: 2, o: { p: null } },
      ),
    ).toEqual({ n: 2, o: { p: null }, kept: 1, list: ['x'] });
    expect(json('n is {{args.n}}{{args.gone}}', { n: 2 })).toBe('n is 2');
  });

  test('never reads what was put in as a template again', () => {
    expect(json({ a: '{{args.a}}', b: 'x{{args.a}}' }, { a: '{{secrets.KEY}}' })).toEqual({
      a: '{{secrets.KEY}}',
      b: 'x{{secrets.KEY}}',
    });
  });

  test('reaches nothing but own members of what the call gave', () => {
    for (const path of ['constructor', '__proto__', 'toString', 'a.length', 'a.constructor'])
      expect(json(`{{args.${path}}}`, { a: 'text' })).toBeUndefined();
  });

  test('without placeholders is itself', () => {
    fc.assert(
      fc.property(
        fc.string().filter((one) => !one.includes('{{')),
        (one) => {
          expect(text(one, {})).toBe(one);
        },
      ),
    );
  });

  test.each([
    '{{args}}',
    '{{arg.x}}',
    '{{args.}}',
    '{{x}}',
    '{{secrets.1x}}',
    '{{secrets.A.b}}',
    '{{args.a | sort}}',
    '{{args.a',
    '{{args["a}}',
    '{{}}',
    '{{args.a b}}',
  ])('%s cannot be read, and says so', (template) =>
    expect(() => parseTemplate(template)).toThrow(/has \{\{/),
  );
});
