import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText } from './edit-text.js';

const codeOf = (text: string, ...edits: { find: string; replace: string }[]) => {
  const edited = editText(text, edits);
  return edited.ok ? edited.text : edited.error.code;
};

describe('editing a text by its own words', () => {
  it('replaces what stands there once, and leaves every other character as it is', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '秋', '$&') });
    fc.assert(
      fc.property(part, part, part, (before, after, replace) => {
        const text = `${before}<here>${after}`;
        expect(codeOf(text, { find: '<here>', replace })).toBe(before + replace + after);
      }),
    );
  });

  it('each edit sees what those before it have made', () => {
    expect(codeOf('one two', { find: 'one', replace: 'two!' }, { find: 'two!', replace: '3' })).toBe('3 two');
  });

  it('what is not there, is there twice (also overlapping) or is empty changes nothing', () => {
    expect(codeOf('abc', { find: 'ABC', replace: '' })).toBe('text_not_found');
    expect(codeOf('tea tea', { find: 'tea', replace: '' })).toBe('text_not_unique');
    expect(codeOf('aaa', { find: 'aa', replace: '' })).toBe('text_not_unique');
    expect(codeOf('abc', { find: '', replace: 'x' })).toBe('invalid_arguments');
    expect(codeOf('abc', { find: 'a', replace: 'x' }, { find: 'a', replace: 'y' })).toBe('text_not_found');
  });

  it('says which edit it is about', () => {
    const edited = editText('abc', [
      { find: 'a', replace: 'x' },
      { find: 'z', replace: '' },
    ]);
    expect(edited).toMatchObject({ ok: false, error: { message: expect.stringContaining('edits[1]') } });
  });
});
