/*
 * The Messages API of Anthropic, as it looks through an endpoint that takes the OpenAI format and passes errors on.
 *
 * Vision guide: jpeg, png, gif, webp; 8000 px a side, 2000 px with more than 20 images; 100 images (window of 200,000 tokens);
 * tokens by 28 px patches after fitting into 1568 px; requests of 32 MB (API overview, request size limits).
 * 5 MB an image is counted on the base64 text: markingprowlik/claude-code issue 19.
 * Texts: prompt anthropics/claude-code issue 12186; sides issues 4778 and 49537; number issue 23392; undecodable issue 56511;
 * empty issue 12750; media types issues 8184 and 13131; 413 anthropics/anthropic-sdk-python issue 938.
 */
import { Refusal } from '../api/refusal.js';
import type { ImageContent, PromptImage } from '../images/read-images.js';
import type { MakePersona, Prompt, Walls } from './persona.js';

const MIB = 1024 * 1024;
const FORMATS = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PATCH = 28;
const LONGEST_SIDE = 1568;
const WALLS: Walls = {
  windowTokens: 200_000,
  bodyBytes: 32_000_000,
  maxImages: 100,
  imageBytes: 5 * MIB,
  imagesTotalBytes: null,
  imageSide: 8000,
  manyImages: { above: 20, side: 2000 },
};

class AnthropicRefusal extends Refusal {
  constructor(
    message: string,
    readonly status = 400,
    private readonly type = 'invalid_request_error',
  ) {
    super(message);
  }

  body(): unknown {
    return { type: 'error', error: { type: this.type, message: this.message } };
  }
}

export const anthropic: MakePersona = (overrides = {}) => {
  const walls = { ...WALLS, ...overrides };
  return {
    walls,
    // It caches where a request marks the place, which the OpenAI format cannot.
    cachesPrefixes: false,
    refuseBody: (sizeBytes) =>
      sizeBytes > walls.bodyBytes
        ? new AnthropicRefusal('Request exceeds the maximum size', 413, 'request_too_large')
        : undefined,
    refuseImages: (images) => refuseImages(images, walls),
    refuseTokens: (prompt) => refuseTokens(prompt, walls),
    imageTokens: ({ width, height }) => patchTokens(width, height),
  };
};

function refuseImages(images: readonly PromptImage[], walls: Walls): AnthropicRefusal | undefined {
  if (images.length > walls.maxImages)
    return new AnthropicRefusal(`too many images and documents: ${images.length} + 0 > ${walls.maxImages}`);
  const many = walls.manyImages !== null && images.length > walls.manyImages.above;
  const side = many ? (walls.manyImages?.side ?? null) : walls.imageSide;
  for (const { content, messageIndex, partIndex } of images) {
    if (!content) continue;
    if ('failed' in content)
      return new AnthropicRefusal('Unable to download the file. Please verify the URL and try again.');
    const refused = refuseImage(content, `messages.${messageIndex}.content.${partIndex}.image.source`, walls);
    if (refused) return refused;
    const { width = 0, height = 0 } = content.facts ?? {};
    if (side !== null && Math.max(width, height) > side) {
      const which = many ? 'max allowed size for many-image requests' : 'max allowed size';
      return new AnthropicRefusal(
        `messages.${messageIndex}.content.${partIndex}.image.source.base64.data: At least one of the image dimensions exceed ${which}: ${side} pixels`,
      );
    }
  }
  return undefined;
}

function refuseImage(content: ImageContent, path: string, { imageBytes }: Walls) {
  const { declaredType, sizeBytes, inBodyBytes, facts } = content;
  const base64 = `${path}.base64`;
  if (sizeBytes === 0) return new AnthropicRefusal(`${base64}: image cannot be empty`);
  if (!FORMATS.has(declaredType))
    return new AnthropicRefusal(
      `${base64}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  const counted = inBodyBytes || sizeBytes;
  if (imageBytes !== null && counted > imageBytes)
    return new AnthropicRefusal(
      `${base64}: image exceeds ${Math.floor(imageBytes / MIB)} MB maximum: ${counted} bytes > ${imageBytes} bytes`,
    );
  if (!facts) return new AnthropicRefusal('Could not process image');
  if (facts.mimeType !== declaredType)
    return new AnthropicRefusal(
      `${base64}.data: Image does not match the provided media type ${declaredType}`,
    );
  return undefined;
}

function refuseTokens(
  { tokens, answerTokens }: Prompt,
  { windowTokens }: Walls,
): AnthropicRefusal | undefined {
  if (tokens > windowTokens)
    return new AnthropicRefusal(`prompt is too long: ${tokens} tokens > ${windowTokens} maximum`);
  if (tokens + answerTokens > windowTokens)
    return new AnthropicRefusal(
      `input length and \`max_tokens\` exceed context limit: ${tokens} + ${answerTokens} > ${windowTokens}, decrease input length or \`max_tokens\` and try again`,
    );
  return undefined;
}

function patchTokens(width: number, height: number): number {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return Math.ceil((width * scale) / PATCH) * Math.ceil((height * scale) / PATCH);
}
