import { inkOn, mix, readableOn } from '../colors.js';
import { fitText } from '../fit-text.js';
import { svgText } from '../svg-text.js';
import { type DrawStyle, fillCanvas } from './poster-canvas.js';

const MARGIN = 96;

/** White space, one disc cut by a fine horizon, and the words at the bottom left. */
export const minimal: DrawStyle = (values, canvas) => {
  const { width, height } = canvas;
  const { background, accent } = values;
  const ink = inkOn(background);
  const inner = width - 2 * MARGIN;
  const portrait = height > width * 1.2;
  const radius = portrait ? 330 : 190;
  const centre = { x: width - MARGIN - radius, y: MARGIN + radius };
  const horizon = centre.y + radius * 0.42;

  const subtitle = fitText(values.subtitle ?? '', {
    width: inner * 0.86,
    height: 110,
    maxSize: 42,
    minSize: 26,
    lineHeight: 1.3,
  });
  const date = fitText(values.date, {
    width: inner * 0.8,
    height: 60,
    maxSize: 42,
    minSize: 20,
    lineHeight: 1.3,
    bold: true,
  });
  const dateTop = height - MARGIN - date.height;
  const ruleY = dateTop - 36;
  const subtitleTop = ruleY - 48 - subtitle.height;
  const headlineBottom = subtitleTop - (values.subtitle ? 28 : 0);
  const headline = fitText(values.headline, {
    width: inner,
    height: headlineBottom - (centre.y + radius + 48),
    maxSize: portrait ? 164 : 118,
    minSize: 40,
    lineHeight: 1.08,
    bold: true,
  });
  const headlineTop = headlineBottom - headline.height;
  return [
    fillCanvas(canvas, background),
    `<clipPath id="above"><rect width="${width}" height="${horizon}"/></clipPath>`,
    `<clipPath id="below"><rect y="${horizon + 10}" width="${width}" height="${height}"/></clipPath>`,
    `<circle cx="${centre.x}" cy="${centre.y}" r="${radius}" fill="${accent}" clip-path="url(#above)"/>`,
    `<circle cx="${centre.x}" cy="${centre.y}" r="${radius}" fill="${mix(background, accent, 0.28)}" clip-path="url(#below)"/>`,
    `<rect x="${MARGIN}" y="${horizon}" width="${inner}" height="3" fill="${ink}"/>`,
    `<circle cx="${MARGIN + 13}" cy="${MARGIN + 13}" r="13" fill="${ink}"/>`,
    svgText(headline, {
      x: MARGIN - 6,
      y: headlineTop,
      fill: ink,
      font: 'sans',
      weight: 700,
      lineHeight: 1.08,
      spacing: -0.015,
    }),
    svgText(subtitle, {
      x: MARGIN,
      y: subtitleTop,
      fill: mix(ink, background, 0.3),
      font: 'sans',
      lineHeight: 1.3,
    }),
    `<rect x="${MARGIN}" y="${ruleY}" width="${inner}" height="2" fill="${mix(background, ink, 0.25)}"/>`,
    svgText(date, {
      x: MARGIN,
      y: dateTop,
      fill: readableOn(background, accent),
      font: 'sans',
      weight: 700,
      lineHeight: 1.3,
    }),
    `<rect x="${width - MARGIN - 90}" y="${dateTop + date.size * 0.5}" width="90" height="8" fill="${accent}"/>`,
  ].join('');
};
