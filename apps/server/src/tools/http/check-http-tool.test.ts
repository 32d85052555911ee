import type { JsonObject } from '@plinth/protocol';
import { describe, expect, test } from 'vitest';
import { checkTool } from '../check-tool.js';

const parameters: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    note: { type: 'string' },
    customer: { type: 'object', properties: { name: { type: 'string' } } },
    open: { type: 'object' },
    items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
  required: ['id'],
};
const problems = (executor: object): string[] => {
  const checked = checkTool({
    key: 'find_pet',
    title: 'Find a pet',
    description: 'Finds it.',
    parameters,
    executor: { kind: 'http', url: 'https://api.example/pets', ...executor },
  });
  return checked.ok ? [] : checked.fields.map(({ path, message }) => `${path}: ${message}`);
};

describe('the registration of an http tool', () => {
  test('takes what can be called', () => {
    expect(
      problems({
        method: 'POST',
        url: 'http://api.example:8080/pets/{{args.id}}?note={{args.note}}',
        headers: { Authorization: 'Bearer {{secrets.PETS}}' },
        query: { sku: '{{args.items.0.sku}}' },
        body: { name: '{{args.customer.name}}', any: '{{args.open.whatever}}' },
      }),
    ).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    [
      'an argument that is no parameter',
      { query: { q: '{{args.nope}}' } },
      /^executor.query.q: .*not among the parameters/,
    ],
    [
      'a member that its parameter has not',
      { query: { q: '{{args.customer.age}}' } },
      /not among the parameters/,
    ],
    [
      'a member of list items that is not there',
      { query: { q: '{{args.items.0.price}}' } },
      /not among the parameters/,
    ],
    [
      'a template that cannot be read',
      { headers: { 'X-A': '{{env.HOME}}' } },
      /^executor.headers.X-A: .*neither/,
    ],
    ['a host from the arguments', { url: 'https://{{args.id}}/pets' }, /^executor.url: .*host in full/],
    ['a piece of a host from the arguments', { url: 'https://{{args.id}}.api.example/pets' }, /host in full/],
    [
      'a host that arguments could go on with',
      { url: 'https://api.example{{args.id}}/pets' },
      /host in full/,
    ],
    ['a host from a secret', { url: 'https://{{secrets.HOST}}/pets' }, /host in full/],
    ['another scheme', { url: 'file:///etc/passwd' }, /http:\/\/ or https:\/\//],
    ['a password in the address', { url: 'https://a:b@api.example/' }, /user name or password/],
    ['an address written as one number', { url: 'http://2130706433/' }, /unusual way/],
    [
      'an optional argument in the path',
      { url: 'https://api.example/{{args.note}}' },
      /must be among the required/,
    ],
    ['a header of the platform', { headers: { Host: 'x' } }, /set by the platform/],
    ['no name of a header', { headers: { 'a b': 'x' } }, /not the name of a header/],
    ['a body with GET', { body: {} }, /cannot be sent with GET/],
    ['an unknown method', { method: 'TRACE' }, /^executor.method/],
    ['a field that there is not', { retries: 3 }, /^executor/],
    ['no JSON pointer', { response: { select: 'data.items' } }, /JSON pointer/],
  ])('refuses %s, and names the field', (_what, executor, expected) => {
    expect(problems(executor).join('\n')).toMatch(expected);
  });
});
