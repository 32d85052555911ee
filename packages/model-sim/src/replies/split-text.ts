const LATIN_PIECE = 6;
const CJK_PIECE = 2;
const PIECES = new RegExp(
  [
    `[\\p{Script=Han}\\u3000-\\u30ff\\uff00-\\uffef]{1,${CJK_PIECE}}`,
    `\\s*[\\p{L}\\p{N}\\p{M}]{1,${LATIN_PIECE}}`,
    '\\s+',
    '[^\\s\\p{L}\\p{N}]+?',
  ].join('|'),
  'gu',
);

/** Cuts text into token-sized pieces. Joined they give the text back, and no piece ends inside a character. */
export function splitText(text: string): string[] {
  return text.match(PIECES) ?? [];
}
