import { describe, expect, test } from 'vitest';
import { TEXTS } from '../texts-by-language.js';
import { PALETTES } from './poster-design.js';
import { checkDraft, detailsOf, draftFromProps } from './poster-draft.js';

const DRAFT = {
  headline: 'Tea',
  subtitle: '',
  date: '12 October',
  size: 'A4',
  background: '#ffffff',
  accent: '#204080',
} as const;

describe('the draft of a poster', () => {
  test("starts from the model's suggestion", () => {
    const suggestion = {
      headline: 'Tea',
      date: '12 October',
      size: 'story',
      colors: { background: '#FFFFFF', accent: '#204080' },
    };
    expect(draftFromProps({ style: 'retro', suggestion })).toEqual({
      style: 'retro',
      draft: { ...DRAFT, size: 'story' },
    });
  });

  test('whatever of the suggestion is not usable is replaced', () => {
    const first = draftFromProps({
      style: 'cubist',
      suggestion: { headline: 7, size: 'A0', colors: { background: 'url(x)' } },
    });
    expect(first).toEqual({
      style: 'minimal',
      draft: { headline: '', subtitle: '', date: '', size: 'A4', ...PALETTES.minimal[0] },
    });
    expect(draftFromProps({})).toEqual(first);
  });

  test.each(['en', 'zh'] as const)('what is missing, too long or unreadable is said (%s)', (language) => {
    const texts = TEXTS[language];
    expect(checkDraft(DRAFT, texts)).toEqual({});
    expect(checkDraft({ ...DRAFT, headline: ' ', date: '' }, texts)).toEqual(texts.form.missing);
    expect(checkDraft({ ...DRAFT, headline: '茶'.repeat(61) }, texts)).toEqual({
      headline: texts.form.tooLong(60),
    });
    expect(checkDraft({ ...DRAFT, accent: '#f0f0f0' }, texts)).toEqual({ accent: texts.form.sameColors });
  });

  test('every palette that is offered passes the check', () => {
    for (const palette of Object.values(PALETTES).flat())
      expect(checkDraft({ ...DRAFT, ...palette }, TEXTS.en)).toEqual({});
  });

  test('a submission is trimmed and has no empty subtitle', () => {
    const { subtitle: _none, ...rest } = DRAFT;
    expect(detailsOf({ ...DRAFT, headline: ' Tea ', subtitle: ' ' })).toEqual(rest);
    expect(detailsOf({ ...DRAFT, subtitle: ' new ' })).toEqual({ ...DRAFT, subtitle: 'new' });
  });
});
