import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language, UiStrings } from './strings.js';
import { EN } from './strings-en.js';
import { ZH } from './strings-zh.js';

/**
 * The host's own words for what comes from its tools, by `tool`, `tool.field` or `tool.field.choice`; for
 * instance `{ draw: '绘制', 'draw.size': '尺寸', 'draw.size.A4': 'A4 纸' }`. Without one, the tool's own are shown.
 */
export type Labels = Readonly<Record<string, string>>;

type Ui = { language: Language; strings: UiStrings; labels: Labels };

const STRINGS: Record<Language, UiStrings> = { en: EN, zh: ZH };
const NO_LABELS: Labels = {};

const UiContext = createContext<Ui | null>(null);

/** The language of the reader's browser, English when there is none (on a server). */
export function browserLanguage(): Language {
  const preferred = typeof navigator === 'undefined' ? '' : navigator.language;
  return preferred.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** Sets language and labels for the components below it. The inner one wins, an absent prop is inherited. */
export function UiProvider(props: {
  language?: Language | undefined;
  labels?: Labels | undefined;
  children: ReactNode;
}) {
  const outer = useUi();
  const language = props.language ?? outer.language;
  const labels = props.labels ?? outer.labels;
  const value = useMemo(() => ({ language, labels, strings: STRINGS[language] }), [language, labels]);
  return <UiContext.Provider value={value}>{props.children}</UiContext.Provider>;
}

/** Language, texts and labels; those of the reader's browser where no provider says otherwise. */
export function useUi(): Ui {
  const given = useContext(UiContext);
  if (given !== null) return given;
  const language = browserLanguage();
  return { language, strings: STRINGS[language], labels: NO_LABELS };
}

/** Hour and minute, as the reader's language writes them. */
export function formatTime(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { hour: '2-digit', minute: '2-digit' }).format(
    new Date(iso),
  );
}

/** The time for today, the day for everything before. */
export function formatMoment(iso: string, language: Language, now = new Date()): string {
  const moment = new Date(iso);
  if (moment.toDateString() === now.toDateString()) return formatTime(iso, language);
  return new Intl.DateTimeFormat(localeOf(language), { month: 'short', day: 'numeric' }).format(moment);
}

function localeOf(language: Language): string {
  return language === 'zh' ? 'zh-CN' : 'en-GB';
}
