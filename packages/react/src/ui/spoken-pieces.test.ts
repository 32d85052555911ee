import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_SPOKEN, spokenPieces } from './spoken-pieces.js';

const CODE = 'A block of code.';
const whole = (text: string) => spokenPieces(text, NOTHING_SPOKEN, { isWhole: true, code: CODE }).pieces;

/** The text arrives up to each of these places, one after the other. */
function inParts(text: string, places: readonly number[]): string[] {
  let spoken = NOTHING_SPOKEN;
  const pieces: string[] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const step = spokenPieces(text.slice(0, place), spoken, { isWhole: false, code: CODE });
    pieces.push(...step.pieces);
    spoken = step.spoken;
  }
  return [...pieces, ...spokenPieces(text, spoken, { isWhole: true, code: CODE }).pieces];
}

test('a piece is a sentence, in any script; what only looks like its end is none', () => {
  expect(whole('The poster is drawn, and it hangs. See e.g. the price of 3.50 EUR there. Done.')).toEqual([
    'The poster is drawn, and it hangs.',
    'See e.g. the price of 3.50 EUR there.',
    'Done.',
  ]);
  expect(whole('海报已经画好了，就挂在工作区里，请看一看效果如何。需要修改的话，请告诉我。')).toEqual([
    '海报已经画好了，就挂在工作区里，请看一看效果如何。',
    '需要修改的话，请告诉我。',
  ]);
});

test('marks are not read, code is named, a table is read by its cells', () => {
  const text =
    '# A title\n\n1. **bold** and [a link](https://example.com)\n- `code`\n\n```js\nconst a = 1;\n```\n\n| Tea | Price |\n|---|---:|\n| Oolong | 4 |\n> quoted';
  expect(whole(text)).toEqual([
    'A title',
    '1. bold and a link',
    'code',
    CODE,
    'Tea , Price',
    'Oolong , 4',
    'quoted',
  ]);
});

test('code is never read, also while its fence is still being written', () => {
  const text = 'Look:\n```js\nfetch("/secret");\n```\nThat was it.';
  const everywhere = Array.from({ length: text.length }, (_, index) => index);
  expect(inParts(text, everywhere)).toEqual(['Look:', CODE, 'That was it.']);
});

test('a sentence without an end is cut at a word', () => {
  const pieces = whole(`${'word '.repeat(120)}`);
  expect(pieces.every((piece) => piece.length <= 240 && piece.endsWith('word'))).toBe(true);
  expect(pieces.join(' ').split(' ')).toHaveLength(120);
});

test('a mark that may go on is waited for', () => {
  const text = '海报已经画好了，就挂在工作区里，请看一看效果如何？！';
  const everywhere = Array.from({ length: text.length }, (_, index) => index);
  expect(inParts(text, everywhere)).toEqual([text]);
});

const words = fc.constantFrom(
  'tea ',
  'A sentence that is long enough. ',
  'e.g. ',
  '3.5',
  '!',
  '?!',
  '\n',
  '\n\n',
  '```',
  '`',
  '**',
  '# ',
  '| a |',
  '。',
  '好的',
  '- ',
  'x'.repeat(90),
  `${'好'.repeat(30)}。`,
  ' ',
  '…',
);

test('however the text arrives, the pieces are the same, and none comes twice', () => {
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 40 }),
      fc.array(fc.nat(600), { maxLength: 12 }),
      (parts, places) => {
        const text = parts.join('');
        expect(inParts(text, places)).toEqual(whole(text));
        const everywhere = Array.from({ length: text.length }, (_, index) => index);
        expect(inParts(text, everywhere)).toEqual(whole(text));
      },
    ),
    { numRuns: 500 },
  );
});
