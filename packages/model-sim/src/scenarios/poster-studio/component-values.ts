import { isJsonObject, type JsonObject } from '../../api/chat-request.js';
import { parseJson } from '../../conversation/conversation.js';
import { STYLE_IDS, type StyleId } from './styles.js';

const SIZES = ['A4', 'A3', 'square', 'story'] as const;
export type PosterSize = (typeof SIZES)[number];

export type FormValues = {
  headline?: string;
  subtitle?: string;
  date?: string;
  size?: PosterSize;
  background?: string;
  accent?: string;
};

/** The chosen style, wherever in the result of `choose_style` it stands. */
export function chosenStyleIn(result: string): StyleId | undefined {
  const parsed = parseJson(result);
  const texts = parsed === undefined ? result.toLowerCase().split(/[^a-z]+/) : stringsIn(parsed);
  return STYLE_IDS.find((id) => texts.includes(id));
}

/** The values of a submitted form. A wrapper such as `{"value": {...}}` is looked through; unknown fields are left out. */
export function formValuesIn(holder: unknown): FormValues {
  const form = objectWith('headline', holder);
  if (!form) return {};
  return {
    headline: textField(form.headline),
    subtitle: textField(form.subtitle),
    date: textField(form.date),
    size: SIZES.find((size) => size === form.size),
    background: textField(form.background),
    accent: textField(form.accent),
  };
}

function objectWith(key: string, value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  if (key in value) return value;
  for (const inner of Object.values(value)) {
    const found = objectWith(key, inner);
    if (found) return found;
  }
  return undefined;
}

function textField(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}
