import type { PosterValues } from './poster-values.js';

/** The language in which a poster is spoken of: that of its headline. */
export function languageOf(headline: string): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(headline) ? 'zh' : 'en';
}

const STYLES_ZH: Record<PosterValues['style'], string> = {
  minimal: '极简',
  botanical: '植物',
  retro: '复古',
  bold: '醒目',
};

/** One line on what was drawn, for the person and for the model. */
export function posterSummary(
  { headline, style }: Pick<PosterValues, 'headline' | 'style'>,
  { width, height }: { width: number; height: number },
): string {
  return languageOf(headline) === 'zh'
    ? `已画好“${headline}”：${STYLES_ZH[style]}风格，${width} × ${height} 像素。`
    : `Drew "${headline}" in the ${style} style, ${width} x ${height} pixels.`;
}
