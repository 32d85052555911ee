import { inkOn, mix, readableOn, turnHue } from '../colors.js';
import { type FittedText, fitText } from '../fit-text.js';
import { svgText, type TextLook } from '../svg-text.js';
import { type Canvas, type DrawStyle, fillCanvas, pointOnCircle } from './poster-canvas.js';

const FRAME = 44;
const RAYS = 30;
const SHADOW_STEPS = 10;

/** Sun rays, a rising sun of warm stripes, block letters with a long shadow, the date on a ribbon. */
export const retro: DrawStyle = (values, canvas) => {
  const { width, height } = canvas;
  const { background, accent } = values;
  const centre = width / 2;
  const portrait = height > width * 1.2;
  const sunY = height * (portrait ? 0.8 : 0.86);
  const inner = width - 2 * FRAME - 120;

  const headline = fitText(values.headline, {
    width: inner,
    height: height * 0.33,
    maxSize: portrait ? 158 : 112,
    minSize: 42,
    lineHeight: 1.12,
    bold: true,
  });
  const subtitle = fitText(values.subtitle ?? '', {
    width: inner * 0.84,
    height: 104,
    maxSize: 42,
    minSize: 26,
    lineHeight: 1.25,
    bold: true,
  });
  const date = fitText(values.date, {
    width: width * 0.58,
    height: 62,
    maxSize: 46,
    minSize: 22,
    lineHeight: 1.3,
    bold: true,
  });

  const headlineTop = FRAME + height * (portrait ? 0.075 : 0.06);
  const subtitleTop = headlineTop + headline.height + 34;
  const sun = Math.min(width * 0.4, sunY - subtitleTop - subtitle.height - 44);
  const letters: TextLook = {
    x: centre,
    y: headlineTop,
    fill: '',
    font: 'slab',
    weight: 700,
    lineHeight: 1.12,
    anchor: 'middle',
  };
  const dark = mix(inkOn(background), accent, 0.2);
  return [
    fillCanvas(canvas, background),
    rays(canvas, centre, sunY, mix(background, accent, 0.2)),
    stripedSun(centre, sunY, sun, [
      accent,
      turnHue(mix(accent, background, 0.12), 18),
      turnHue(mix(accent, background, 0.3), 36),
      mix(background, '#ffffff', 0.3),
    ]),
    ground(canvas, sunY, dark, accent, background),
    longShadow(headline, letters, dark),
    svgText(headline, { ...letters, fill: readableOn(dark, mix(accent, background, 0.1)) }),
    svgText(subtitle, {
      ...letters,
      y: subtitleTop,
      fill: readableOn(mix(background, accent, 0.2), dark),
      lineHeight: 1.25,
    }),
    ribbon(canvas, sunY, date.height, accent, dark),
    svgText(date, { ...letters, y: sunY + 6 - date.height / 2, fill: inkOn(accent), lineHeight: 1.3 }),
    frame(canvas, dark, background),
  ].join('');
};

function rays({ width, height }: Canvas, x: number, y: number, fill: string): string {
  const reach = width + height;
  const step = 360 / RAYS;
  const paths = Array.from({ length: RAYS / 2 }, (_, index) => {
    const from = pointOnCircle(x, y, reach, index * 2 * step);
    const to = pointOnCircle(x, y, reach, (index * 2 + 1) * step);
    return `M${x} ${y}L${from.x.toFixed(0)} ${from.y.toFixed(0)}L${to.x.toFixed(0)} ${to.y.toFixed(0)}Z`;
  });
  return `<path d="${paths.join('')}" fill="${fill}"/>`;
}

function stripedSun(x: number, y: number, radius: number, fills: string[]): string {
  return fills
    .map((fill, index) => `<circle cx="${x}" cy="${y}" r="${radius * (1 - index * 0.22)}" fill="${fill}"/>`)
    .join('');
}

function ground(
  { width, height }: Canvas,
  y: number,
  dark: string,
  accent: string,
  background: string,
): string {
  const bands = [accent, turnHue(mix(accent, background, 0.3), 36), dark];
  const band = (height - y) / bands.length;
  return bands
    .map(
      (fill, index) => `<rect y="${y + index * band}" width="${width}" height="${band + 1}" fill="${fill}"/>`,
    )
    .join('');
}

function longShadow(text: FittedText, look: TextLook, fill: string): string {
  const step = text.size / 110;
  return Array.from({ length: SHADOW_STEPS }, (_, index) => {
    const offset = (SHADOW_STEPS - index) * step;
    return svgText(text, { ...look, x: look.x + offset, y: look.y + offset, fill });
  }).join('');
}

function ribbon({ width }: Canvas, y: number, textHeight: number, accent: string, dark: string): string {
  const half = width * 0.35;
  const [top, bottom] = [y - textHeight / 2 - 24, y + textHeight / 2 + 24];
  const centre = width / 2;
  const tail = (side: 1 | -1) => {
    const [inside, outside] = [centre + side * (half - 40), centre + side * (half + 92)];
    return `<path d="M${inside} ${top + 30}H${outside}L${outside - side * 42} ${y + 30}L${outside} ${bottom + 30}H${inside}Z" fill="${mix(accent, dark, 0.45)}"/>`;
  };
  return `${tail(-1)}${tail(1)}<rect x="${centre - half}" y="${top}" width="${half * 2}" height="${bottom - top}" fill="${accent}" stroke="${dark}" stroke-width="6"/>`;
}

function frame({ width, height }: Canvas, dark: string, background: string): string {
  const inside = `x="${FRAME}" y="${FRAME}" width="${width - 2 * FRAME}" height="${height - 2 * FRAME}" rx="26"`;
  return (
    `<mask id="paper"><rect width="${width}" height="${height}" fill="#fff"/><rect ${inside} fill="#000"/></mask>` +
    `<rect width="${width}" height="${height}" fill="${background}" mask="url(#paper)"/>` +
    `<rect ${inside} fill="none" stroke="${dark}" stroke-width="6"/>`
  );
}
