import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangeRows, readTable } from './read-table.js';

describe('reading a table', () => {
  it('CSV with quotes, line breaks and a byte order mark; semicolons and tabs as well', () => {
    expect(readTable('\ufeffname,qty\n"Tea, green","2\n3"\n', 'text/csv')).toEqual({
      columns: ['name', 'qty'],
      rows: [['Tea, green', '2\n3']],
      broken: false,
    });
    expect(readTable('a;b\n1;2\n3;4\n', 'text/csv').rows).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(readTable('a\tb,c\n1\t2', 'text/tab-separated-values').columns).toEqual(['a', 'b,c']);
  });

  it('a JSON list of objects: columns are all members, in the order of their first mention', () => {
    expect(readTable('[{"a":1},{"b":"x","a":null},{"c":{"d":1}}]', 'application/json')).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        ['1', '', ''],
        ['', 'x', ''],
        ['', '', '{"d":1}'],
      ],
      broken: false,
    });
  });

  it('says when lines do not fit, and shows what there is', () => {
    expect(readTable('a,b\n1,2,3\n', 'text/csv')).toEqual({
      columns: ['a', 'b', ''],
      rows: [['1', '2', '3']],
      broken: true,
    });
    expect(readTable('{"a":1}', 'application/json').broken).toBe(true);
  });

  it('whatever the text, it never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', '[', '{', '}', ']') }),
        (text) => {
          for (const type of ['text/csv', 'application/json', 'text/tab-separated-values'])
            readTable(text, type);
        },
      ),
    );
  });
});

describe('the rows that are shown', () => {
  const rows = [
    ['b', '10'],
    ['a', '9'],
    ['C', ''],
    ['é', '1,000'],
    ['a2', '-3.5'],
  ];
  const names = (...args: [string, Parameters<typeof arrangeRows>[2]]) =>
    arrangeRows(rows, ...args, 'en').map(([name]) => name);

  it('numbers sort as numbers, texts as people do it, and empty cells always last', () => {
    expect(names('', { column: 1, descending: false })).toEqual(['a2', 'a', 'b', 'é', 'C']);
    expect(names('', { column: 1, descending: true })).toEqual(['é', 'b', 'a', 'a2', 'C']);
    expect(names('', { column: 0, descending: false })).toEqual(['a', 'a2', 'b', 'C', 'é']);
    expect(names('', null)).toEqual(['b', 'a', 'C', 'é', 'a2']);
  });

  it('those that hold the words, whatever their case', () => {
    expect(names(' A', null)).toEqual(['a', 'a2']);
    expect(names('1,0', null)).toEqual(['é']);
    expect(names('nothing', null)).toEqual([]);
  });
});
