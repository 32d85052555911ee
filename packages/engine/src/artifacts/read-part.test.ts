import type { JsonValue } from '@plinth/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../context/count-tokens.js';
import { pointInto } from './json-pointer.js';
import { type PartRequest, readPart } from './read-part.js';

const MAX = 300;
const ORDERS = {
  total: 90,
  orders: Array.from({ length: 90 }, (_, id) => ({ id, note: 'a word '.repeat(20) })),
  'a/b~c': 1,
};
const JSON_TEXT = JSON.stringify(ORDERS, null, 2);

/** Reads on by what each part says of the next one, to the end. */
function readAll(text: string, first: PartRequest): Record<string, JsonValue>[] {
  const parts: Record<string, JsonValue>[] = [];
  for (let request: PartRequest | null = first; request !== null; ) {
    const read = readPart(text, request, MAX);
    if (!read.ok) throw new Error(read.error.message);
    expect(countTokens(JSON.stringify(read.part))).toBeLessThanOrEqual(MAX);
    parts.push(read.part);
    const more = read.part.next as { range: { from: number } } | null;
    request =
      more === null ? null : { ...(first.query === undefined ? {} : { query: first.query }), ...more };
  }
  return parts;
}

describe('a part of a text', () => {
  it('whatever the text, the parts fit, and together they are all of it', () => {
    const anyText = fc
      .string({ unit: 'binary', maxLength: 3_000 })
      .filter((text) => Buffer.from(text).toString() === text);
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          readAll(text, {})
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
      { numRuns: 40 },
    );
    const chinese = '中文字符测试一二三'.repeat(1_000);
    expect(
      readAll(chinese, {})
        .map((part) => part.text)
        .join(''),
    ).toBe(chinese);
  });

  it('a page is the same whatever was read before, and says which it is of how many', () => {
    const text = 'The order came to the office in Berlin. '.repeat(100);
    const second = readPart(text, { page: 2 }, MAX);
    expect(second).toMatchObject({
      ok: true,
      part: { from: 400, to: 800, of: 4_000, pages: 10, unit: 'characters' },
    });
    expect(second).toEqual(readPart(text, { page: 2 }, MAX));
    expect(readPart(text, { range: { from: 3_990 } }, MAX)).toMatchObject({
      part: { to: 4_000, next: null },
    });
  });

  it('a page or range outside says how much there is', () => {
    expect(readPart('short', { page: 2 }, MAX)).toEqual({
      ok: false,
      error: {
        code: 'range_out_of_bounds',
        message: 'There are 5 characters, on 1 pages: ask for a page or a range within them.',
      },
    });
    expect(readPart('short', { range: { from: 3, to: 3 } }, MAX)).toMatchObject({
      error: { code: 'invalid_arguments' },
    });
    expect(readPart('short', { page: 1, range: { from: 0 } }, MAX)).toMatchObject({
      error: { code: 'invalid_arguments' },
    });
  });

  it('an empty text has one empty page', () => {
    expect(readPart('', {}, MAX)).toMatchObject({ ok: true, part: { text: '', of: 0, next: null } });
  });
});

describe('a part of JSON', () => {
  it('a list is read item by item, all of it, each item whole', () => {
    const items = readAll(JSON_TEXT, { query: '/orders' }).flatMap((part) => part.items as JsonValue[]);
    expect(items).toEqual(ORDERS.orders);
  });

  it('an object that is too long is shaped, with a hint to query deeper', () => {
    const read = readPart(JSON_TEXT, { query: '' }, MAX);
    expect(read).toMatchObject({
      ok: true,
      part: { hint: expect.stringContaining('Query deeper'), value: { total: 90 } },
    });
    expect(readPart(JSON_TEXT, { query: '/orders/3/id' }, MAX)).toEqual({ ok: true, part: { value: 3 } });
  });

  it('a text in it is read like any text', () => {
    const text = JSON.stringify({ log: 'line of a log\n'.repeat(500) });
    expect(
      readAll(text, { query: '/log' })
        .map((part) => part.text)
        .join(''),
    ).toBe('line of a log\n'.repeat(500));
  });

  it('a pointer that leads nowhere says where it ended, and what is there', () => {
    expect(readPart(JSON_TEXT, { query: '/orders/3/name' }, MAX)).toEqual({
      ok: false,
      error: {
        code: 'query_without_match',
        message: 'There is no "name" at "/orders/3": that is an object with the members "id", "note".',
      },
    });
    expect(readPart(JSON_TEXT, { query: '$.orders' }, MAX)).toMatchObject({
      error: { message: expect.stringContaining('JSON Pointer') },
    });
    expect(readPart('no JSON', { query: '' }, MAX)).toMatchObject({ error: { code: 'not_json' } });
  });

  it('a pointer names members as RFC 6901 writes them, and none that every object inherits', () => {
    expect(pointInto(ORDERS, '/a~1b~0c')).toEqual({ ok: true, value: 1 });
    expect(pointInto(ORDERS, '/constructor').ok).toBe(false);
    expect(pointInto([1, 2], '/01').ok).toBe(false);
    expect(pointInto([1, 2], '/length').ok).toBe(false);
  });
});
