import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateAgainst } from './json-schema.js';
import { compilePattern, patternProblems } from './safe-patterns.js';

const matches = (pattern: string, text: string) =>
  validateAgainst({ type: 'string', pattern }, text).length === 0;

describe('patterns of schemas', () => {
  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-z]+)*@', '(x+x+)+y'])(
    '%s on a text made to hang it is answered at once',
    (pattern) => {
      const began = performance.now();
      expect(matches(pattern, `${'a'.repeat(5_000)}!`)).toBe(false);
      // Backtracking would take longer than the age of the universe.
      expect(performance.now() - began).toBeLessThan(2_000);
    },
  );

  it.each([
    ['^#[0-9a-fA-F]{6}$', '#00ffAA', '#00ff'],
    ['\\S', ' x', ' \u3000'],
    ['^\\p{L}+$', '秋茶é', 'a1'],
    ['^\\u00e9+$', 'éé', 'e'],
    ['^(?<year>\\d{4})-\\d{2}$', '2026-11', '26-11'],
    ['b', 'abc', 'ac'],
  ])('%s means what it means in JavaScript', (pattern, good, bad) => {
    expect([matches(pattern, good), matches(pattern, bad)]).toEqual([true, false]);
  });

  it('the same texts match as with the expressions of JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\w', '(ab)', '(a|b)');
    const part = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}'))
      .map((pair) => pair.join(''));
    const pattern = fc
      .tuple(
        fc.constantFrom('', '^'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '$'),
      )
      .map(([start, parts, end]) => start + parts.join('') + end);
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '_', ' ', '秋'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        expect(compilePattern(source, 'u').test(value)).toBe(new RegExp(source, 'u').test(value));
      }),
    );
  });

  it('those that cannot be checked in linear time are named with their place', () => {
    const schema = {
      type: 'object',
      properties: {
        code: { type: 'string', pattern: '^(?=.*[0-9]).+$' },
        pattern: { type: 'string', pattern: '^ok+$' },
        list: { type: 'array', items: { anyOf: [{ type: 'string', pattern: '(a+)\\1' }] } },
      },
      patternProperties: { '(?!x).+': {} },
      examples: [{ pattern: '(?=x)+' }],
    };
    expect(patternProblems(schema, 'parameters').map(({ path }) => path)).toEqual([
      'parameters.properties.code.pattern',
      'parameters.properties.list.items.anyOf.0.pattern',
      'parameters.patternProperties.(?!x).+',
    ]);
    expect(patternProblems(schema, 'parameters')[0]?.message).toContain('without look-around');
  });

  it('one that a run was pinned to before still works', () => {
    expect([matches('^(?=.*[0-9]).+$', 'a1'), matches('^(?=.*[0-9]).+$', 'ab')]).toEqual([true, false]);
  });

  it('one that is no expression is refused when the schema is compiled', () => {
    expect(() => validateAgainst({ type: 'string', pattern: '(' }, null)).toThrow();
  });
});
