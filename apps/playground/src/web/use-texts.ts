import { useUi } from '@plinth/react/ui';
import type { Texts } from './texts.js';
import { TEXTS } from './texts-by-language.js';

/** The page's texts in the language that the SDK's provider was given. */
export function useTexts(): Texts {
  return TEXTS[useUi().language];
}
