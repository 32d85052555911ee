/*
 * The chat completions API of OpenAI.
 *
 * Images and vision guide: png, jpeg, webp, non-animated gif; 20 MB per image, 500 images and 50 MB of images per request;
 * tokens by 512 px tiles (85 + 170 a tile, after fitting into 2048 px and then to 768 px on the short side), 85 for low detail.
 * Window of gpt-4o: 128,000 tokens, those of the answer included.
 * Texts: context_length_exceeded as in bytedance/deer-flow issue 310, the variant with a completion as in
 * The-Vibe-Company/quivr issue 505; total image size as in open-webui/open-webui issue 26967; per image as in
 * CosmosShadow/gptpdf issue 6; undecodable as in marketing-factory/ai-filemetadata issue 26; addresses as in
 * riverscuomo/cuomputer issue 95; number of images as in the-open-agent/openagent issue 874.
 */
import { type ApiError, badRequest, contentTooLarge } from '../api/api-error.js';
import type { PromptImage } from '../images/read-images.js';
import type { MakePersona, Prompt, Walls } from './persona.js';

const MIB = 1024 * 1024;
const FORMATS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const WALLS: Walls = {
  windowTokens: 128_000,
  // Base64 of 50 MB of images and some text.
  bodyBytes: 72 * MIB,
  maxImages: 500,
  imageBytes: 20 * MIB,
  imagesTotalBytes: 50 * MIB,
  imageSide: null,
  manyImages: null,
};

export const openai: MakePersona = (overrides = {}) => {
  const walls = { ...WALLS, ...overrides };
  return {
    walls,
    cachesPrefixes: true,
    refuseBody: (sizeBytes) =>
      sizeBytes > walls.bodyBytes ? contentTooLarge(sizeBytes, walls.bodyBytes) : undefined,
    refuseImages: (images) => refuseImages(images, walls),
    refuseTokens: (prompt) => refuseTokens(prompt, walls),
    imageTokens: ({ width, height }, detail) => (detail === 'low' ? 85 : tileTokens(width, height)),
  };
};

function refuseImages(images: readonly PromptImage[], walls: Walls): ApiError | undefined {
  if (images.length > walls.maxImages)
    return badRequest(`Too many images in request. Max is ${walls.maxImages}.`, null);
  let totalBytes = 0;
  for (const { content, part } of images) {
    if (!content) continue;
    if ('failed' in content) {
      const what = content.failed === 'timeout' ? 'Timeout' : 'Error';
      return badRequest(`${what} while downloading ${part.image_url.url}.`, null, 'invalid_image_url');
    }
    totalBytes += content.inBodyBytes;
    const { facts, declaredType, sizeBytes } = content;
    if (declaredType !== 'image/jpg' && !FORMATS.has(declaredType)) return unsupported();
    if (facts && !FORMATS.has(facts.mimeType)) return unsupported();
    if (walls.imageBytes !== null && sizeBytes > walls.imageBytes) return imageTooLarge(walls.imageBytes);
    if (!facts)
      return badRequest(
        'You uploaded an unsupported image. Please make sure your image is valid.',
        null,
        'image_parse_error',
      );
  }
  if (walls.imagesTotalBytes !== null && totalBytes > walls.imagesTotalBytes) {
    const message = `Total image size is ${megabytes(totalBytes)}MB, which exceeds the allowed limit of ${megabytes(walls.imagesTotalBytes)}MB.`;
    return badRequest(message, null);
  }
  return undefined;
}

const unsupported = () =>
  badRequest(
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    null,
    'invalid_image_format',
  );

const imageTooLarge = (limitBytes: number) =>
  badRequest(
    `You uploaded an unsupported image. Please make sure your image is below ${megabytes(limitBytes)} MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].`,
    null,
    'sanitizer_server_error',
  );

const megabytes = (bytes: number) => String(Number((bytes / MIB).toFixed(2)));

function refuseTokens(prompt: Prompt, { windowTokens }: Walls): ApiError | undefined {
  const { messageTokens, toolTokens, tokens, answerTokens } = prompt;
  if (tokens + answerTokens <= windowTokens) return undefined;
  const resulted =
    tokens > windowTokens
      ? `your messages resulted in ${tokens} tokens${toolTokens > 0 ? ` (${messageTokens} in the messages, ${toolTokens} in the functions)` : ''}. Please reduce the length of the messages${toolTokens > 0 ? ' or functions' : ''}.`
      : `you requested ${tokens + answerTokens} tokens (${tokens} in the messages, ${answerTokens} in the completion). Please reduce the length of the messages or completion.`;
  return badRequest(
    `This model's maximum context length is ${windowTokens} tokens. However, ${resulted}`,
    'messages',
    'context_length_exceeded',
  );
}

function tileTokens(width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const shorter = Math.min(width, height) * fit;
  const scale = fit * Math.min(1, 768 / shorter);
  return 85 + 170 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}
