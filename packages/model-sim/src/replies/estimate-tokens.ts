/*
 * A deterministic stand-in for a tokenizer:
 *   text    = one token per CJK character + one per four other characters, rounded up
 *   message = text + names and arguments of its tool calls + 4 (role and separators)
 *   prompt  = all messages + tools as JSON text + 3 (the opening of the answer)
 *   image   = by the persona's formula; without a persona 85 with `detail: low`, 765 otherwise
 */
const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;
const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text by the formula at the top of this file. */
export function estimateTokens(text: string): number {
  const cjk = text.match(CJK)?.join('') ?? '';
  return [...cjk].length + Math.ceil((text.length - cjk.length) / CHARACTERS_PER_TOKEN);
}
