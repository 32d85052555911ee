import { useUi } from '@plinth/react/ui';
import { TEXTS, type Texts } from './texts.js';

/** The page's texts in the language that the SDK's provider was given. */
export function useTexts(): Texts {
  return TEXTS[useUi().language];
}
