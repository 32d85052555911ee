/**
 * Tokens of a picture by the formulas that the providers publish. They resize it first; what comes out is an upper bound,
 * since none of them counts more than for the picture as it was sent. Sources were looked up in 2026-11, most of them in
 * stored copies of the pages: where two disagreed, the larger number stands.
 */

/**
 * OpenAI, models that see tiles: into a square of 2048, then the shorter side to 768, then so many for the picture and so
 * many for each tile of 512. https://platform.openai.com/docs/guides/images-vision, "Calculating costs".
 */
export const tileTokens = (base: number, perTile: number) => (width: number, height: number) => {
  const toSquare = Math.min(1, 2048 / Math.max(width, height));
  const toShort = Math.min(1, 768 / (Math.min(width, height) * toSquare));
  const tiles = (side: number) => Math.ceil((side * toSquare * toShort) / 512);
  return base + perTile * tiles(width) * tiles(height);
};

/**
 * OpenAI, models that see patches of 32, at most so many of them, times a factor: same page. Factors that were billed and
 * those that stand there have differed, the latter were larger: https://community.openai.com/t/1344040.
 */
export const patchTokens =
  (factor: number, mostPatches = 1536) =>
  (width: number, height: number) =>
    Math.ceil(Math.min(mostPatches, Math.ceil(width / 32) * Math.ceil(height / 32)) * factor);

/**
 * Anthropic: one for each patch of 28, begun ones as well; before, it was said to be width times height by 750, which is
 * more for some pictures. The newest models look at 4,784 of them, the ones before at 1,568.
 * https://platform.claude.com/docs/en/build-with-claude/vision, "Evaluate image size", in both wordings.
 */
export const claudeTokens = (width: number, height: number) => {
  const patches = Math.ceil(width / 28) * Math.ceil(height / 28);
  return Math.min(4_784, Math.max(patches, Math.ceil((width * height) / 750)));
};

/**
 * Gemini: up to version 2.5, 258 up to 384 pixels a side; above, 258 for each tile, whose side is the shorter one by 1.5,
 * between 256 and 768 (https://ai.google.dev/gemini-api/docs/tokens, "Multimodal tokens"). From 3 on 1,120 whatever the
 * size, unless a request asks for another resolution
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding).
 */
export const geminiTokens = (width: number, height: number) => {
  const tile = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  const areTiles = width > 384 || height > 384;
  return Math.max(1_120, areTiles ? 258 * Math.ceil(width / tile) * Math.ceil(height / tile) : 258);
};

/** The largest of several formulas. */
export const largestOf =
  (...formulas: ((width: number, height: number) => number)[]) =>
  (width: number, height: number) =>
    Math.max(...formulas.map((tokens) => tokens(width, height)));

/** OpenAI, models since gpt-5.2: up to 2,500 patches as they are sent by default; measured by users, see `patchTokens`. */
export const recentPatchTokens = patchTokens(1.2, 2_500);

/** For a model of which nothing is known: the most that it would be with a large model of OpenAI or Anthropic. */
export const mostTokens = largestOf(tileTokens(85, 170), patchTokens(1.72), recentPatchTokens, claudeTokens);
