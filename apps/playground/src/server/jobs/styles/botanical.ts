import { inkOn, mix, readableOn, turnHue } from '../colors.js';
import { fitText } from '../fit-text.js';
import { svgText } from '../svg-text.js';
import { leafBranch } from './leaf-branch.js';
import { type Canvas, type DrawStyle, fillCanvas } from './poster-canvas.js';

const FRAME = 54;

/** An arch window with the words in it, leaves growing in from two corners. */
export const botanical: DrawStyle = (values, canvas) => {
  const { width, height } = canvas;
  const { background, accent } = values;
  const ink = mix(inkOn(background), accent, 0.25);
  const paper = mix(background, inkOn(background) === '#fffdf7' ? '#000000' : '#ffffff', 0.45);
  const centre = width / 2;
  const archWidth = width * 0.7;
  const archTop = height * 0.115;
  const archBottom = height * 0.885;
  const inner = archWidth * 0.78;

  const portrait = height > width * 1.2;
  const headline = fitText(values.headline, {
    width: inner,
    height: height * (portrait ? 0.26 : 0.3),
    maxSize: portrait ? 164 : 108,
    minSize: 42,
    lineHeight: 1.12,
  });
  const subtitle = fitText(values.subtitle ?? '', {
    width: inner * 0.94,
    height: 108,
    maxSize: 46,
    minSize: 26,
    lineHeight: 1.3,
  });
  const date = fitText(values.date, {
    width: inner * 0.9,
    height: 58,
    maxSize: 42,
    minSize: 20,
    lineHeight: 1.3,
    bold: true,
  });

  const gap = 46;
  const total = headline.height + gap + subtitle.height + (values.subtitle ? gap : 0) + date.height;
  const headlineTop = height * 0.52 - total / 2;
  const ornamentY = headlineTop + headline.height + gap * 0.55;
  const subtitleTop = ornamentY + gap * 0.75;
  const dateTop = subtitleTop + subtitle.height + (values.subtitle ? gap * 0.8 : 0);
  const readable = readableOn(paper, accent);
  return [
    fillCanvas(canvas, background),
    arch(centre, archTop, archBottom, archWidth, `fill="${paper}"`),
    arch(
      centre,
      archTop + 20,
      archBottom - 20,
      archWidth - 40,
      `fill="none" stroke="${readable}" stroke-width="3"`,
    ),
    foliage(canvas, values),
    svgText(headline, {
      x: centre,
      y: headlineTop,
      fill: readableOn(paper, ink),
      font: 'serif',
      lineHeight: 1.12,
      anchor: 'middle',
    }),
    `<path d="M${centre - 130} ${ornamentY}H${centre - 22}M${centre + 22} ${ornamentY}H${centre + 130}" stroke="${readable}" stroke-width="2.5"/>`,
    `<path d="M${centre} ${ornamentY - 14}l10 14l-10 14l-10 -14Z" fill="${readable}"/>`,
    svgText(subtitle, {
      x: centre,
      y: subtitleTop,
      fill: readableOn(paper, ink),
      font: 'serif',
      italic: true,
      lineHeight: 1.3,
      anchor: 'middle',
    }),
    svgText(date, {
      x: centre,
      y: dateTop,
      fill: readable,
      font: 'serif',
      weight: 700,
      lineHeight: 1.3,
      anchor: 'middle',
      spacing: 0.04,
    }),
    `<rect x="${FRAME / 2}" y="${FRAME / 2}" width="${width - FRAME}" height="${height - FRAME}" fill="none" stroke="${mix(background, accent, 0.55)}" stroke-width="3"/>`,
  ].join('');
};

function arch(centre: number, top: number, bottom: number, width: number, look: string): string {
  const radius = width / 2;
  return `<path d="M${centre - radius} ${bottom}V${top + radius}A${radius} ${radius} 0 0 1 ${centre + radius} ${top + radius}V${bottom}Z" ${look}/>`;
}

function foliage(
  { width, height }: Canvas,
  { background, accent }: { background: string; accent: string },
): string {
  const leaf = readableOn(background, accent);
  const stem = mix(leaf, inkOn(background), 0.25);
  const fills = [
    leaf,
    mix(leaf, background, 0.3),
    turnHue(mix(leaf, background, 0.15), 24),
    mix(leaf, stem, 0.6),
  ];
  const pale = [mix(background, leaf, 0.34), mix(background, leaf, 0.24)];
  const corner = Math.min(height, width * 1.35);
  const branch = { stem, fills, plumpness: 0.27 };
  const behind = { stem: mix(background, leaf, 0.45), fills: pale, plumpness: 0.2 };
  return [
    leafBranch({
      ...behind,
      x: 40,
      y: height - 40,
      angle: -88,
      length: corner * 0.42,
      leaves: 8,
      leafLength: 130,
      bend: 26,
    }),
    leafBranch({
      ...behind,
      x: width - 40,
      y: 40,
      angle: 92,
      length: corner * 0.42,
      leaves: 8,
      leafLength: 130,
      bend: 26,
    }),
    leafBranch({
      ...branch,
      x: 20,
      y: height - 20,
      angle: -22,
      length: corner * 0.42,
      leaves: 7,
      leafLength: 170,
      bend: 14,
    }),
    leafBranch({
      ...branch,
      x: 20,
      y: height - 20,
      angle: -66,
      length: corner * 0.32,
      leaves: 6,
      leafLength: 150,
      bend: -16,
    }),
    leafBranch({
      ...branch,
      x: width - 20,
      y: 20,
      angle: 158,
      length: corner * 0.42,
      leaves: 7,
      leafLength: 170,
      bend: 14,
    }),
    leafBranch({
      ...branch,
      x: width - 20,
      y: 20,
      angle: 114,
      length: corner * 0.32,
      leaves: 6,
      leafLength: 150,
      bend: -16,
    }),
  ].join('');
}
