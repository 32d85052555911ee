/**
 * Tokens of a picture by the formulas that the providers publish (read 2026-11). They resize it first; what comes out is an
 * upper bound, since none of them counts more than for the picture as it was sent.
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

/** OpenAI, models that see patches of 32, at most 1536 of them, times a factor. Same page. */
export const patchTokens = (factor: number) => (width: number, height: number) =>
  Math.ceil(Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32)) * factor);

/**
 * Anthropic: width times height by 750; beyond about 1,600 tokens it is resized.
 * https://docs.anthropic.com/en/docs/build-with-claude/vision, "Evaluate image size".
 */
export const areaTokens = (width: number, height: number) =>
  Math.min(1_700, Math.ceil((width * height) / 750));

/**
 * Gemini: 258 up to 384 pixels a side; above, 258 for each tile, whose side is the shorter one by 1.5, between 256 and 768.
 * https://ai.google.dev/gemini-api/docs/tokens, "Multimodal tokens".
 */
export const geminiTokens = (width: number, height: number) => {
  if (width <= 384 && height <= 384) return 258;
  const tile = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return 258 * Math.ceil(width / tile) * Math.ceil(height / tile);
};

const ofTiles = tileTokens(85, 170);
const ofMostPatches = patchTokens(1.72);

/** For a model of which nothing is known: the most that the formulas above come to. */
export const mostTokens = (width: number, height: number) =>
  Math.max(ofTiles(width, height), ofMostPatches(width, height), areaTokens(width, height));
