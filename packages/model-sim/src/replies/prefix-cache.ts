import { estimateTokens } from './estimate-tokens.js';
import type { PromptPiece } from './prompt-pieces.js';

/*
 * As the prompt caching guide of the OpenAI API says: prompts of 1024 tokens and more are cached, hits grow in steps of 128
 * tokens, only an exact prefix counts, and tools and images are part of it. Caches are not shared between organisations.
 * What the guide leaves to load and time (eviction after some minutes, routing to another machine) is left out: here the
 * newest prompts of a key are remembered.
 */
const SMALLEST_HIT = 1024;
const STEP = 128;
const KEPT_PROMPTS = 50;

/** Remembers the prompts that were answered, and says how much of the next one they begin with. */
export class PrefixCache {
  readonly #prompts = new Map<string, PromptPiece[][]>();

  /** Cached tokens of this prompt; it is remembered for the next one of the same key. */
  take(key: string, prompt: PromptPiece[]): number {
    const earlier = this.#prompts.get(key) ?? [];
    const common = Math.max(0, ...earlier.map((pieces) => commonTokens(pieces, prompt)));
    this.#prompts.set(key, [...earlier.slice(1 - KEPT_PROMPTS), prompt]);
    return common < SMALLEST_HIT ? 0 : common - (common % STEP);
  }
}

/** Tokens that both prompts begin with. */
export function commonTokens(one: readonly PromptPiece[], other: readonly PromptPiece[]): number {
  let tokens = 0;
  for (const [index, piece] of one.entries()) {
    const twin = other[index];
    if (twin?.kind !== piece.kind) return tokens;
    if (twin.text !== piece.text) return tokens + partTokens(piece, twin);
    tokens += piece.tokens;
  }
  return tokens;
}

/** Half an image is no image; half a text is one. */
function partTokens(piece: PromptPiece, twin: PromptPiece): number {
  if (piece.kind === 'image') return 0;
  let length = 0;
  while (length < piece.text.length && piece.text[length] === twin.text[length]) length += 1;
  return Math.min(estimateTokens(piece.text.slice(0, length)), piece.tokens, twin.tokens);
}
