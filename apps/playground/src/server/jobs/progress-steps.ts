import { languageOf } from './poster-language.js';
import type { PosterValues } from './poster-values.js';

type Step = { progress: number; message: string };

const STEPS = [
  { progress: 0.05, en: 'Laying out the paper', zh: '正在铺纸' },
  { progress: 0.3, en: 'Mixing the colours', zh: '正在调色' },
  { progress: 0.6, en: 'Setting the headline', zh: '正在排版标题' },
  { progress: 0.85, en: 'Adding the last details', zh: '正在添加最后的细节' },
];

/** What a drawing reports while it is under way, in the language of its headline. */
export function progressSteps({ headline }: PosterValues): Step[] {
  const language = languageOf(headline);
  return STEPS.map((step) => ({ progress: step.progress, message: step[language] }));
}
