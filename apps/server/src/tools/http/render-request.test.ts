import { httpExecutor, type JsonObject } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderRequest } from './render-request.js';

const render = (spec: object, args: JsonObject = {}, secrets: Record<string, string> = {}) =>
  renderRequest(httpExecutor.parse({ kind: 'http', url: 'https://api.example/x', ...spec }), {
    args,
    secrets: new Map(Object.entries(secrets)),
  });
const requestOf = (...of: Parameters<typeof render>) => {
  const rendering = render(...of);
  if (!rendering.ok) throw new Error(JSON.stringify(rendering.fields));
  return rendering.request;
};

describe('the request of an http tool', () => {
  test('holds the arguments in address, query, headers and body', () => {
    expect(
      requestOf(
        {
          method: 'POST',
          url: 'https://api.example/v1/{{args.kind}}/{{args.id}}?v=2',
          headers: {
            Authorization: 'Bearer {{secrets.KEY}}',
            'X-Lang': '{{args.lang}}',
            'X-None': '{{args.none}}',
          },
          query: { tag: '{{args.tags}}', none: '{{args.none}}', fixed: 1, object: '{{args.object}}' },
          body: { name: '{{args.name}}', none: '{{args.none}}', fixed: ['a'] },
        },
        { kind: 'pets & co', id: 7, lang: 'de', tags: ['a', 'b'], name: { first: 'Ada' }, object: { a: 1 } },
        { KEY: 's3' },
      ),
    ).toEqual({
      method: 'POST',
      url: 'https://api.example/v1/pets%20%26%20co/7?v=2&tag=a&tag=b&fixed=1&object=%7B%22a%22%3A1%7D',
      headers: { 'content-type': 'application/json', authorization: 'Bearer s3', 'x-lang': 'de' },
      body: '{"name":{"first":"Ada"},"fixed":["a"]}',
    });
  });

  test('sends a form or a text as such, and no body that was not given', () => {
    const form = { method: 'POST', bodyAs: 'form', body: { a: '{{args.a}}', b: '{{args.b}}' } };
    expect(requestOf(form, { a: 'x y&z', b: [1, 2] })).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=x+y%26z&b=1&b=2',
    });
    expect(
      requestOf({ method: 'POST', bodyAs: 'form', body: '{{args.body}}' }, { body: { a: '{{args.x' } }).body,
    ).toBe('a=%7B%7Bargs.x');
    expect(requestOf({ method: 'PUT', bodyAs: 'text', body: 'hi {{args.a}}' }, { a: 'A' }).body).toBe('hi A');
    expect(requestOf({ method: 'POST', body: '{{args.body}}' }).body).toBeNull();
  });

  test('goes to the host that the tool names, whatever the arguments are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
        const rendering = render(
          { url: 'https://api.example/{{args.a}}/end/{{args.b}}?q={{args.a}}' },
          { a, b },
        );
        if (!rendering.ok) return;
        const url = new URL(rendering.request.url);
        expect(url.host).toBe('api.example');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.pathname.split('/')[2]).toBe('end');
        expect([...url.searchParams.keys()]).toEqual(['q']);
      }),
    );
  });

  test.each(['', '.', '..'])(
    'is refused when an argument in the address is %j, which would be another address',
    (id) => {
      expect(render({ method: 'DELETE', url: 'https://api.example/pets/{{args.id}}' }, { id })).toEqual({
        ok: false,
        fields: [{ path: 'id', message: expect.stringContaining('a part of the address') }],
      });
    },
  );

  test('is refused when arguments make a ".." of several parts', () => {
    expect(render({ url: 'https://api.example/{{args.a}}{{args.b}}/x' }, { a: '.', b: '.' }).ok).toBe(false);
  });

  test('is refused when a header would break its line', () => {
    expect(render({ headers: { 'X-A': 'v{{args.a}}' } }, { a: 'b\r\nX-Evil: 1' })).toEqual({
      ok: false,
      fields: [{ path: 'X-A', message: expect.stringContaining('a header cannot hold') }],
    });
  });
});
