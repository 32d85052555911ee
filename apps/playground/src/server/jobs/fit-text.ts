import { balanceLines, wrapText } from './wrap-text.js';

export type TextBox = {
  width: number;
  height: number;
  maxSize: number;
  minSize: number;
  lineHeight: number;
  bold?: boolean;
};

export type FittedText = { lines: string[]; size: number; height: number };

const STEPS = 40;

/**
 * The largest size at which the text stays inside the box, with its lines. Sizes that would break a word are
 * passed over while there is a smaller one. At the smallest size the text is cut with an ellipsis if it must be.
 */
export function fitText(text: string, box: TextBox): FittedText {
  let broken: FittedText | undefined;
  for (let step = 0; step <= STEPS; step += 1) {
    const size = box.maxSize + ((box.minSize - box.maxSize) * step) / STEPS;
    const maxEms = box.width / size;
    const height = wrapText(text, maxEms, box.bold).lines.length * size * box.lineHeight;
    if (height > box.height) continue;
    const { lines, brokenWord } = balanceLines(text, maxEms, box.bold);
    const fitted = { lines, size, height };
    if (!brokenWord) return fitted;
    broken ??= fitted;
  }
  return broken ?? cutToFit(text, box);
}

function cutToFit(text: string, box: TextBox): FittedText {
  const size = box.minSize;
  const maxEms = box.width / size;
  const room = Math.max(1, Math.floor(box.height / (size * box.lineHeight)));
  const characters = [...text];
  let { lines } = wrapText(text, maxEms, box.bold);
  while (lines.length > room && characters.length > 1) {
    characters.pop();
    ({ lines } = wrapText(`${characters.join('').trimEnd()}…`, maxEms, box.bold));
  }
  return { lines, size, height: lines.length * size * box.lineHeight };
}
