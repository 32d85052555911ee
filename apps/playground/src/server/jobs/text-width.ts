/*
 * The poster is laid out without asking a font, since the machine decides which font it has. Widths are those of
 * the widest common fall-back (DejaVu Sans), so a line that fits here fits in every font that is likely to be used.
 */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const WIDTHS: [RegExp, number][] = [
  [WIDE, 1],
  [/\p{Extended_Pictographic}/u, 1.3],
  [/\p{M}/u, 0],
  [/[\s]/u, 0.33],
  [/[ijl.,:;'!|I’‘·]/u, 0.36],
  [/[frt()[\]\-–/]/u, 0.46],
  [/[mwMW@%—…]/u, 1],
  [/\p{Lu}/u, 0.74],
  [/[\p{Ll}\p{N}]/u, 0.64],
];
const OTHER = 0.8;
const BOLD_FACTOR = 1.08;

/** Upper bound of a text's width in ems. */
export function textWidth(text: string, bold = false): number {
  let width = 0;
  for (const character of text) width += WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
  return bold ? width * BOLD_FACTOR : width;
}

/** True for a character that takes a full square and may stand at the end of a line. */
export function isWide(character: string): boolean {
  return WIDE.test(character);
}
