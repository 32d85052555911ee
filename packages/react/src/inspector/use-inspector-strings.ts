import type { Language } from '../ui/strings.js';
import { useUi } from '../ui/ui-context.js';
import type { InspectorStrings } from './inspector-strings.js';
import { EN } from './inspector-strings-en.js';
import { ZH } from './inspector-strings-zh.js';

export const INSPECTOR_STRINGS: Readonly<Record<Language, InspectorStrings>> = { en: EN, zh: ZH };

/** The texts in the language of the components around. */
export function useInspectorStrings(): InspectorStrings {
  return INSPECTOR_STRINGS[useUi().language];
}
