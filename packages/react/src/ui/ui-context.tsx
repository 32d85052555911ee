import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language, UiStrings } from './strings.js';
import { EN } from './strings-en.js';
import { ZH } from './strings-zh.js';

/**
 * The host's own words for what comes from its tools, by `tool`, `tool.field` or `tool.field.choice`; for
 * instance `{ draw: '绘制', 'draw.size': '尺寸', 'draw.size.A4': 'A4 纸' }`. Without one, the tool's own are shown.
 */
export type Labels = Readonly<Record<string, string>>;

/** Which way the components are laid out. */
export type Direction = 'ltr' | 'rtl';

type Ui = {
  language: Language;
  /** BCP 47: how times are written, and the `lang` of what the components say. */
  locale: string;
  /** Undefined: as the page around them. */
  dir: Direction | undefined;
  strings: UiStrings;
  labels: Labels;
};

/** The texts that come with the components; a host's own language starts from one of them. */
export const UI_STRINGS: Readonly<Record<Language, UiStrings>> = { en: EN, zh: ZH };
const NO_LABELS: Labels = {};

const UiContext = createContext<Ui | null>(null);

/** The language of the reader's browser, English when there is none (on a server). */
export function browserLanguage(): Language {
  const preferred = typeof navigator === 'undefined' ? '' : navigator.language;
  return preferred.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export type UiProviderProps = {
  language?: Language | undefined;
  /** For a language of the host's own, with its `strings`: BCP 47, such as `ar` or `he-IL`. */
  locale?: string | undefined;
  /** Left out: that of `locale`, and without one as the page around. */
  dir?: Direction | undefined;
  /** The host's own words in place of some or all texts. Pass the same object each time. */
  strings?: Partial<UiStrings> | undefined;
  labels?: Labels | undefined;
  children: ReactNode;
};

/** Sets language, direction, texts and labels for the components below it. The inner one wins, an absent prop is inherited. */
export function UiProvider({ language, locale, dir, strings, labels, children }: UiProviderProps) {
  const outer = useUi();
  const ui = useMemo(
    () => overlay(outer, { language, locale, dir, strings, labels }),
    [outer, language, locale, dir, strings, labels],
  );
  return <UiContext.Provider value={ui}>{children}</UiContext.Provider>;
}

function overlay(
  outer: Ui,
  { language, locale, dir, strings, labels }: Omit<UiProviderProps, 'children'>,
): Ui {
  const isOther = language !== undefined && language !== outer.language;
  const base = isOther ? UI_STRINGS[language] : outer.strings;
  return {
    language: language ?? outer.language,
    locale: locale ?? (isOther ? language : outer.locale),
    dir: dir ?? (locale === undefined ? outer.dir : directionOf(locale)),
    strings: strings === undefined ? base : { ...base, ...strings },
    labels: labels ?? outer.labels,
  };
}

const FROM_BROWSER = Object.fromEntries(
  (['en', 'zh'] as const).map((language) => [
    language,
    { language, locale: language, dir: undefined, strings: UI_STRINGS[language], labels: NO_LABELS },
  ]),
) as Record<Language, Ui>;

/** Language, texts and labels; those of the reader's browser where no provider says otherwise. */
export function useUi(): Ui {
  return useContext(UiContext) ?? FROM_BROWSER[browserLanguage()];
}

/** Languages whose likely script runs from right to left (CLDR, likely subtags). */
const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)|-(?:Arab|Hebr|Thaa)(?:-|$)/i;
const LEFT_TO_RIGHT_SCRIPT = /-(?:Latn|Cyrl|Deva)(?:-|$)/i;

/** Which way a language is written. `az-Arab` and `ks-Deva`: a script that is named decides. */
export function directionOf(locale: string): Direction {
  return RIGHT_TO_LEFT.test(locale) && !LEFT_TO_RIGHT_SCRIPT.test(locale) ? 'rtl' : 'ltr';
}

/** The attributes of an element that the components' texts begin in. */
export function useTextAttributes(): { lang: string; dir: Direction | undefined } {
  const { locale, dir } = useUi();
  return { lang: locale, dir };
}
