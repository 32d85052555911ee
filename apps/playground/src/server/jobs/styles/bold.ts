import { inkOn, mix, readableOn } from '../colors.js';
import { fitText } from '../fit-text.js';
import { svgText } from '../svg-text.js';
import { type Canvas, type DrawStyle, fillCanvas } from './poster-canvas.js';

const MARGIN = 72;
const DOT_STEP = 46;
const STRIPE = 26;
/** How much of the slant lies above and below the block's nominal top. */
const HIGH_SIDE = 0.65;
const LOW_SIDE = 0.35;

/** Type as large as the paper allows, a slanted block of colour, and a field of growing dots. */
export const bold: DrawStyle = (values, canvas) => {
  const { width, height } = canvas;
  const { background, accent } = values;
  const ink = inkOn(background);
  const onAccent = inkOn(accent);
  const inner = width - 2 * MARGIN;
  const slant = height * 0.1;

  const date = fitText(values.date, {
    width: inner,
    height: 130,
    maxSize: 104,
    minSize: 36,
    lineHeight: 1.1,
    bold: true,
  });
  const subtitle = fitText(values.subtitle ?? '', {
    width: inner * 0.9,
    height: 110,
    maxSize: 48,
    minSize: 28,
    lineHeight: 1.2,
    bold: true,
  });
  const dateTop = height - MARGIN - date.height;
  const subtitleTop = dateTop - 18 - subtitle.height;
  const blockTop = Math.min(height * 0.72, subtitleTop - slant * LOW_SIDE - STRIPE - 40);
  const headlineTop = MARGIN + 66;
  const headline = fitText(values.headline.toUpperCase(), {
    width: inner,
    height: blockTop - slant * HIGH_SIDE - headlineTop,
    maxSize: 330,
    minSize: 44,
    lineHeight: 1.02,
    bold: true,
  });
  return [
    fillCanvas(canvas, background),
    dots(canvas, blockTop, mix(background, accent, 0.34)),
    `<path d="M0 ${blockTop + slant * LOW_SIDE}L${width} ${blockTop - slant * HIGH_SIDE}V${height}H0Z" fill="${accent}"/>`,
    `<path d="M0 ${blockTop + slant * LOW_SIDE}L${width} ${blockTop - slant * HIGH_SIDE}v${STRIPE}L0 ${blockTop + slant * LOW_SIDE + STRIPE}Z" fill="${ink}"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="150" height="${STRIPE}" fill="${readableOn(background, accent)}"/>`,
    svgText(headline, {
      x: MARGIN - 4,
      y: headlineTop,
      fill: ink,
      font: 'sans',
      weight: 900,
      lineHeight: 1.02,
      spacing: -0.02,
    }),
    svgText(subtitle, {
      x: MARGIN,
      y: subtitleTop,
      fill: onAccent,
      font: 'sans',
      weight: 700,
      lineHeight: 1.2,
    }),
    svgText(date, {
      x: MARGIN - 2,
      y: dateTop,
      fill: onAccent,
      font: 'sans',
      weight: 900,
      lineHeight: 1.1,
      spacing: -0.01,
    }),
  ].join('');
};

/** A halftone that thickens towards the block. */
function dots({ width }: Canvas, bottom: number, fill: string): string {
  const circles: string[] = [];
  for (let y = bottom * 0.45; y < bottom + DOT_STEP; y += DOT_STEP) {
    for (let x = DOT_STEP / 2; x < width; x += DOT_STEP) {
      const nearness = (y / bottom - 0.45) / 0.55;
      const radius = 19 * nearness * (x / width) ** 0.8;
      if (radius > 1.5) circles.push(`<circle cx="${x}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}"/>`);
    }
  }
  return `<g fill="${fill}">${circles.join('')}</g>`;
}
