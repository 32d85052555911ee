import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictsLeft } from './conflict-marks.js';
import { diffTexts, linesOf, mergeTexts } from './merge-texts.js';

const names = { mine: 'Your changes', theirs: 'Version 2' };
const line = fc.constantFrom('a', 'b', 'c', '', '秋');
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

describe('merging two changes of a text', () => {
  it('changes of different places are both there', () => {
    const base = 'one\ntwo\nthree\nfour\n';
    const merged = mergeTexts({ base, mine: base.replace('one', '1'), theirs: `${base}five\n` }, names);
    expect(merged).toEqual({ text: '1\ntwo\nthree\nfour\nfive\n', conflicts: 0 });
  });

  it('a place that both changed stands there twice, marked, and counts until it is edited', () => {
    const merged = mergeTexts({ base: 'a\nb\nc\n', mine: 'a\nmine\nc\n', theirs: 'a\ntheirs\nc\n' }, names);
    expect(merged.text).toBe('a\n<<<<<<< Your changes\nmine\n=======\ntheirs\n>>>>>>> Version 2\nc\n');
    expect([merged.conflicts, conflictsLeft(merged.text)]).toEqual([1, 1]);
    expect(conflictsLeft(merged.text.replace('=======\n', ''))).toBe(0);
  });

  it('what only one of them changed is taken, whatever it is; what both changed alike is no conflict', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts({ base, mine: changed, theirs: base }, names)).toEqual({
          text: changed,
          conflicts: 0,
        });
        expect(mergeTexts({ base, mine: base, theirs: changed }, names)).toEqual({
          text: changed,
          conflicts: 0,
        });
        expect(mergeTexts({ base, mine: changed, theirs: changed }, names)).toEqual({
          text: changed,
          conflicts: 0,
        });
      }),
    );
  });

  it('the marks that are counted are those of the merge', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const merged = mergeTexts({ base, mine, theirs }, names);
        expect(conflictsLeft(merged.text)).toBe(merged.conflicts);
      }),
    );
  });
});

describe('comparing two texts', () => {
  it('the parts are all of both, in order, with their line numbers', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const parts = diffTexts(left, right);
        expect(parts.flatMap((part) => part.left.lines).join('')).toBe(left);
        expect(parts.flatMap((part) => part.right.lines).join('')).toBe(right);
        let at = 1;
        for (const part of parts) {
          expect(part.left.from).toBe(at);
          at += part.left.lines.length;
          if (part.kind === 'same') expect(part.left.lines).toEqual(part.right.lines);
        }
      }),
    );
  });

  it('lines keep their ends', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(linesOf(any).join('')).toBe(any);
      }),
    );
  });
});
