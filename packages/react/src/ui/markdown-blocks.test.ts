import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Block, createBlockReader, splitBlocks } from './markdown-blocks.js';
import { codeText } from './markdown-code-block.js';
import { readTable, splitCells } from './markdown-table-rows.js';

afterEach(() => vi.restoreAllMocks());

const pieces = fc.array(
  fc.constantFrom(
    '```',
    '~~~~',
    '`',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    '# ',
    '- ',
    '  ',
    '1. ',
    '> ',
    '---',
    '| a | b |',
    '|---|:-:|',
    'word ',
    '**',
    'x'.repeat(20),
    // A few of these make a line that is kept in pieces.
    '🎉'.repeat(750),
  ),
  { maxLength: 60 },
);

/** What the reader's blocks say, without how far it has read. */
const said = (block: Block) =>
  block.kind === 'code'
    ? {
        kind: block.kind,
        start: block.start,
        language: block.language,
        code: codeText(block),
        closedAt: block.closedAt,
      }
    : block;

describe('a text that streams in', () => {
  test('is cut like the whole text, wherever its pieces end', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const read = createBlockReader();
        let text = '';
        for (const part of parts) {
          text += part;
          expect(read(text).map(said)).toEqual(splitBlocks(text).map(said));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('keeps every block that is still the same, so that none of them is drawn again', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const read = createBlockReader();
        let text = '';
        let before: readonly Block[] = [];
        for (const part of parts) {
          text += part;
          const now = read(text);
          for (const [index, block] of before.slice(0, -1).entries()) {
            const other = now[index];
            if (other !== undefined && JSON.stringify(said(other)) === JSON.stringify(said(block)))
              expect(other).toBe(block);
          }
          before = now;
        }
      }),
    );
  });

  test('a line that turns out to be no rule goes back to the paragraph before it', () => {
    const read = createBlockReader();
    expect(read('a\n---').map(({ kind }) => kind)).toEqual(['paragraph', 'rule']);
    expect(read('a\n---b').map(said)).toEqual([{ kind: 'paragraph', start: 0, source: 'a\n---b' }]);
  });

  test('is read anew when it is another text and not a longer one', () => {
    const read = createBlockReader();
    read('one\n\ntwo');
    expect(read('# other').map(said)).toEqual(splitBlocks('# other').map(said));
  });

  test('a line of a long code block costs as much as one of a short block', () => {
    const read = createBlockReader();
    let text = '```js\n';
    const readLine = () => {
      text += 'const answer = 42; // a line like any other\n';
      return read(text);
    };
    const searchesOfALine = () => {
      const exec = vi.spyOn(RegExp.prototype, 'exec');
      readLine();
      const searches = exec.mock.calls.length;
      exec.mockRestore();
      return searches;
    };
    readLine();
    const early = searchesOfALine();
    for (let line = 0; line < 1000; line += 1) readLine();
    expect(searchesOfALine()).toBe(early);
  });

  test('a piece of a line without end costs as much at its end as at its beginning', () => {
    const read = createBlockReader();
    let text = '```js\n';
    const searched = () => {
      let characters = 0;
      const exec = RegExp.prototype.exec;
      const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, searchedIn) {
        characters += searchedIn.length - this.lastIndex;
        return exec.call(this, searchedIn);
      });
      text += 'const answer=42;'.repeat(10);
      const [block] = read(text);
      spy.mockRestore();
      return { characters, tail: block?.kind === 'code' ? block.tail.length : 0 };
    };
    for (let piece = 0; piece < 300; piece += 1) {
      const { characters, tail } = searched();
      expect(characters).toBeLessThan(5_000);
      expect(tail).toBeLessThanOrEqual(2_000);
    }
    const [block] = read(text);
    expect(block?.kind === 'code' && codeText(block)).toBe(text.slice(6));
  });

  test('the finished chunks of a code block stay as they are', () => {
    const read = createBlockReader();
    const lines = (count: number) => `\`\`\`\n${'a line\n'.repeat(count)}`;
    const [first] = read(lines(120));
    const [second] = read(lines(160));
    if (first?.kind !== 'code' || second?.kind !== 'code') throw new Error('no code');
    expect(first.chunks.length).toBeGreaterThan(1);
    expect(second.chunks.slice(0, first.chunks.length)).toEqual(first.chunks);
    expect(codeText(second)).toBe('a line\n'.repeat(160).trimEnd());
  });
});

describe('tables', () => {
  test('begin with a header and a row of dashes of the same width, also behind a paragraph', () => {
    expect(splitBlocks('text\n| a | b |\n|---|---|\n| 1 | 2 |\n\nafter').map(({ kind }) => kind)).toEqual([
      'paragraph',
      'table',
      'paragraph',
    ]);
    expect(splitBlocks('a | b\n---').map(({ kind }) => kind)).toEqual(['paragraph', 'rule']);
  });

  test('a bar that is escaped is part of its cell', () => {
    expect(splitCells('| a \\| b | | c')).toEqual(['a | b', '', 'c']);
  });

  test('dashes with colons align a column', () => {
    expect(readTable('a|b|c|d\n:-|:-:|-:|-').alignments).toEqual(['start', 'center', 'end', undefined]);
  });
});
