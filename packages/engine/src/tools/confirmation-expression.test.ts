import type { JsonObject } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionHolds, conditionProblem } from './confirmation-expression.js';

describe('a condition under which a person is asked', () => {
  it.each<[string, JsonObject, boolean]>([
    ['arguments.amount > 100', { amount: 100.5 }, true],
    ['arguments.amount > 100', { amount: 100 }, false],
    ['arguments.country in ["DE", "FR"]', { country: 'FR' }, true],
    ['arguments.country != "DE" && arguments.amount >= 10', { country: 'DE', amount: 10 }, false],
    [
      'arguments.to.exists(one, !one.endsWith("@acme.example"))',
      { to: ['a@acme.example', 'b@x.example'] },
      true,
    ],
    ['has(arguments.note) && arguments.note != ""', {}, false],
    ['size(arguments.items) > 2', { items: [1, 2, 3] }, true],
    ['arguments.order.express', { order: { express: false } }, false],
  ])('%s of %j is %s', (expression, values, holds) => {
    expect(conditionProblem(expression)).toBeNull();
    expect(conditionHolds(expression, values)).toBe(holds);
  });

  it.each<[string, JsonObject]>([
    ['arguments.amount > 100', {}],
    ['arguments.amount > 100', { amount: 'a lot' }],
    ['arguments.amount', { amount: 'not a truth' }],
    ['arguments.constructor == null', {}],
    ['arguments["__proto__"] == null', {}],
  ])('one that cannot be decided asks: %s of %j', (expression, values) => {
    expect(conditionProblem(expression)).toBeNull();
    expect(conditionHolds(expression, values)).toBe(true);
  });

  it.each([
    ['arguments.amount >', 'Unexpected token'],
    ['amount > 100', 'Unknown variable: amount'],
    ['process.exit(1)', 'Unknown variable: process'],
    ['"yes"', 'must say true or false, not a string'],
    ['arguments.to.matches("(a+)+$")', 'must not use regular expressions'],
    ['true || [arguments.to].exists(x, x.matches("a"))', 'must not use regular expressions'],
    ['arguments.a.all(x, arguments.b.exists(y, x == y))', 'must not walk a list inside the walk'],
    [`${'('.repeat(60)}true${')'.repeat(60)}`, 'maxDepth'],
  ])('%s is refused, with the reason', (expression, reason) => {
    expect(conditionProblem(expression)).toContain(reason);
  });

  it('whatever somebody writes, it is refused or decides: nothing is thrown', () => {
    const pieces = fc.constantFrom(
      'arguments',
      '.a',
      '.b',
      '[0]',
      '(',
      ')',
      '>',
      '==',
      '1',
      '"x"',
      '&&',
      '!',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }),
        fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()),
        (parts, values) => {
          const expression = parts.join('');
          expect(typeof (conditionProblem(expression) ?? '')).toBe('string');
          expect(typeof conditionHolds(expression, values as JsonObject)).toBe('boolean');
        },
      ),
    );
  });
});
