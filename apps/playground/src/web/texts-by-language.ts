import type { Language } from '@plinth/react/ui';
import type { Texts } from './texts.js';
import { EN } from './texts-en.js';
import { ZH } from './texts-zh.js';

export const TEXTS: Record<Language, Texts> = { en: EN, zh: ZH };
