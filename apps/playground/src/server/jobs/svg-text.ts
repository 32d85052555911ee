import type { FittedText } from './fit-text.js';

const CJK_SANS = "'Noto Sans CJK SC', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', 'WenQuanYi Zen Hei'";
const CJK_SERIF = "'Noto Serif CJK SC', 'Noto Serif SC', 'Songti SC', 'SimSun'";

/** Font lists that end in what nearly every machine has, Chinese included. */
export const FONTS = {
  sans: `'Liberation Sans', 'Helvetica Neue', Arial, 'DejaVu Sans', ${CJK_SANS}, sans-serif`,
  serif: `'Liberation Serif', Georgia, 'Times New Roman', 'DejaVu Serif', ${CJK_SERIF}, serif`,
  slab: `'DejaVu Serif', Rockwell, Georgia, ${CJK_SERIF}, serif`,
} as const;

export type TextLook = {
  x: number;
  /** Top edge of the first line. */
  y: number;
  fill: string;
  font: keyof typeof FONTS;
  lineHeight: number;
  weight?: number;
  anchor?: 'start' | 'middle' | 'end';
  /** Added between letters, in ems. */
  spacing?: number;
  italic?: boolean;
};

/** Baseline of the first line below its top edge, in ems; leaves room for Chinese, which stands taller than capitals. */
const ASCENT = 0.88;

/** An SVG text element for fitted lines. The text is escaped. */
export function svgText({ lines, size }: FittedText, look: TextLook): string {
  const attributes = [
    `font-family="${FONTS[look.font]}"`,
    `font-size="${size.toFixed(1)}"`,
    `font-weight="${look.weight ?? 400}"`,
    `fill="${look.fill}"`,
    `text-anchor="${look.anchor ?? 'start'}"`,
    look.spacing ? `letter-spacing="${(look.spacing * size).toFixed(1)}"` : '',
    look.italic ? 'font-style="italic"' : '',
  ].join(' ');
  const spans = lines.map((line, index) => {
    const y = look.y + size * ASCENT + index * size * look.lineHeight;
    return `<tspan x="${look.x}" y="${y.toFixed(1)}">${escapeXml(line)}</tspan>`;
  });
  return `<text ${attributes}>${spans.join('')}</text>`;
}

/** Makes any text safe inside an SVG element or attribute; characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
