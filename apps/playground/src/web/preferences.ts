import { browserLanguage, type Language } from '@plinth/react/ui';
import { useEffect, useState } from 'react';

export type Theme = 'light' | 'dark';

const LANGUAGE_KEY = 'poster-studio.language';
const THEME_KEY = 'poster-studio.theme';

/** The reader's language: what they chose here, else what their browser prefers. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState<Language>(() => {
    const stored = readStored(LANGUAGE_KEY);
    return stored === 'en' || stored === 'zh' ? stored : browserLanguage();
  });
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
  }, [language]);
  const choose = (next: Language) => {
    store(LANGUAGE_KEY, next);
    setLanguage(next);
  };
  return [language, choose];
}

/** Light or dark: what the reader chose here, else what their system prefers. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [chosen, setChosen] = useState<Theme | null>(() => {
    const stored = readStored(THEME_KEY);
    return stored === 'light' || stored === 'dark' ? stored : null;
  });
  const [system, setSystem] = useState<Theme>(systemTheme);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setSystem(systemTheme());
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    if (chosen !== null) document.documentElement.dataset.plinthTheme = chosen;
  }, [chosen]);
  const choose = (next: Theme) => {
    store(THEME_KEY, next);
    setChosen(next);
  };
  return [chosen ?? system, choose];
}

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

// A browser may refuse storage (private windows, policies); the choice then lasts until the page is closed.
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}
