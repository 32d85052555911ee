/*
 * The Gemini API through its endpoint that takes the OpenAI format.
 *
 * Image understanding guide: png, jpeg, webp, heic, heif; 3,600 images; a request of 20 MB in all; 258 tokens up to 384 px on
 * both sides, else 258 for each 768 px tile. Token limits count the input alone (1,048,576).
 * Texts: tokens google-gemini/gemini-cli issue 12214, where the error comes in an array; payload
 * MaKTaiL/gemini-srt-translator issue 63; format google-gemini/gemini-cli issue 3054; undecodable
 * pollinations/pollinations issue 4157; number after google-gemini/gemini-cli issue 27724 (there for video files).
 */
import { Refusal } from '../api/refusal.js';
import type { PromptImage } from '../images/read-images.js';
import type { MakePersona, Walls } from './persona.js';

const MIB = 1024 * 1024;
const FORMATS = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']);
const TILE_TOKENS = 258;
const SMALL_SIDE = 384;
const TILE_SIDE = 768;
/** Larger images are scaled down to it. */
const LONGEST_SIDE = 3072;
const WALLS: Walls = {
  windowTokens: 1_048_576,
  bodyBytes: 20 * MIB,
  maxImages: 3600,
  imageBytes: null,
  imagesTotalBytes: null,
  imageSide: null,
  manyImages: null,
};

class GeminiRefusal extends Refusal {
  readonly status = 400;

  /** An array of one, unlike the errors of the API that it imitates. */
  body(): unknown {
    return [{ error: { code: this.status, message: this.message, status: 'INVALID_ARGUMENT' } }];
  }
}

export const gemini: MakePersona = (overrides = {}) => {
  const walls = { ...WALLS, ...overrides };
  return {
    walls,
    cachesPrefixes: true,
    refuseBody: (sizeBytes) =>
      sizeBytes > walls.bodyBytes
        ? new GeminiRefusal(`Request payload size exceeds the limit: ${walls.bodyBytes} bytes.`)
        : undefined,
    refuseImages: (images) => refuseImages(images, walls),
    refuseTokens: ({ tokens }) =>
      tokens > walls.windowTokens
        ? new GeminiRefusal(
            `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${walls.windowTokens}).`,
          )
        : undefined,
    imageTokens: ({ width, height }) => tileTokens(width, height),
  };
};

function refuseImages(images: readonly PromptImage[], { maxImages }: Walls): GeminiRefusal | undefined {
  if (images.length > maxImages)
    return new GeminiRefusal(
      `Unable to submit request because it has ${images.length} image files but the model only supports up to ${maxImages}.`,
    );
  for (const { content } of images) {
    if (!content) continue;
    if ('failed' in content)
      return new GeminiRefusal(
        'Cannot fetch content from the provided URL. Please ensure the URL is valid and accessible.',
      );
    if (!FORMATS.has(content.declaredType))
      return new GeminiRefusal(`Unsupported MIME type: ${content.declaredType}`);
    if (!content.facts || !FORMATS.has(content.facts.mimeType))
      return new GeminiRefusal(
        'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      );
  }
  return undefined;
}

function tileTokens(width: number, height: number): number {
  if (Math.max(width, height) <= SMALL_SIDE) return TILE_TOKENS;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return TILE_TOKENS * Math.ceil((width * scale) / TILE_SIDE) * Math.ceil((height * scale) / TILE_SIDE);
}
