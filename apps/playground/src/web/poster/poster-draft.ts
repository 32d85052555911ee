import type { JsonObject, JsonValue } from '@plinth/protocol';
import { contrast } from '../../server/jobs/colors.js';
import type { Texts } from '../texts.js';
import { isPosterSize, isPosterStyle, PALETTES, type PosterSize, type PosterStyle } from './poster-design.js';

/** What the form holds. */
export type PosterDraft = {
  headline: string;
  subtitle: string;
  date: string;
  size: PosterSize;
  background: string;
  accent: string;
};

/** What the form submits. */
export type PosterDetails = Omit<PosterDraft, 'subtitle'> & { subtitle?: string };

export type DraftProblems = Partial<Record<keyof PosterDraft, string>>;

export const LONGEST = { headline: 60, subtitle: 100, date: 40 } as const;

const COLOR = /^#[0-9a-fA-F]{6}$/;
/** Below this two colours run into each other, on paper even more than on a screen. */
const LEAST_CONTRAST = 1.5;

/** The style of a tool's call, and a draft from its suggestion. The model's values are not trusted. */
export function draftFromProps(props: JsonObject): { style: PosterStyle; draft: PosterDraft } {
  const style = isPosterStyle(props.style) ? props.style : 'minimal';
  const suggestion = objectOf(props.suggestion);
  const colors = objectOf(suggestion.colors);
  const palette = PALETTES[style][0];
  return {
    style,
    draft: {
      headline: textOf(suggestion.headline),
      subtitle: textOf(suggestion.subtitle),
      date: textOf(suggestion.date),
      size: isPosterSize(suggestion.size) ? suggestion.size : 'A4',
      background: colorOf(colors.background) ?? palette.background,
      accent: colorOf(colors.accent) ?? palette.accent,
    },
  };
}

/** What is wrong with which field. Empty when the draft can be submitted. */
export function checkDraft(draft: PosterDraft, texts: Texts): DraftProblems {
  const problems: DraftProblems = {};
  for (const field of ['headline', 'date'] as const) {
    if (draft[field].trim() === '') problems[field] = texts.form.missing[field];
  }
  for (const field of ['headline', 'subtitle', 'date'] as const) {
    if ([...draft[field]].length > LONGEST[field]) problems[field] = texts.form.tooLong(LONGEST[field]);
  }
  if (contrast(draft.background, draft.accent) < LEAST_CONTRAST) problems.accent = texts.form.sameColors;
  return problems;
}

/** The submission: trimmed, and without a subtitle that is not there. */
export function detailsOf(draft: PosterDraft): PosterDetails {
  const { subtitle, ...rest } = draft;
  const details = { ...rest, headline: draft.headline.trim(), date: draft.date.trim() };
  return subtitle.trim() === '' ? details : { ...details, subtitle: subtitle.trim() };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function colorOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && COLOR.test(value) ? value.toLowerCase() : null;
}
