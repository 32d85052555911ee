import type { EndpointProfile } from './endpoint-profile.js';
import { areaTokens, geminiTokens, mostTokens, patchTokens, tileTokens } from './image-tokens.js';

/**
 * The walls of endpoints whose models are well known, by the name of the model. Read in 2026-11; a tenant that knows better
 * says so in `context.endpoint`. Where a limit is given in MB, the smaller reading, 10^6 bytes, is taken.
 */

const MB = 1_000_000;
/** What is base64 in the body has three quarters of its bytes in the picture. */
const BEFORE_BASE64 = 0.75;

/**
 * https://platform.openai.com/docs/guides/images-vision, "Image input requirements": 50 MB and 500 pictures in one request,
 * PNG, JPEG, WEBP, still GIF. No wall for one picture is named: it is that of all. Models look at 2048 pixels at most.
 */
const OPENAI = {
  bodyBytes: 50 * MB,
  maxImages: 500,
  imageBytes: 20 * MB,
  imagesTotalBytes: 50 * MB,
  imageSide: 2048,
  imageFormats: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  imageDelivery: 'inline',
} as const;

/**
 * https://docs.anthropic.com/en/docs/build-with-claude/vision and /en/api/overview: 100 pictures and 32 MB in one request;
 * a picture of more than 5 MB as it stands in the body is refused (`image exceeds 5 MB maximum: ... > 5242880 bytes`); above
 * 1568 pixels the model resizes it, and above 2000 it is refused when there are more than twenty.
 */
const ANTHROPIC = {
  bodyBytes: 32 * MB,
  maxImages: 100,
  imageBytes: 5_242_880 * BEFORE_BASE64,
  imagesTotalBytes: null,
  imageSide: 1568,
  imageFormats: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  imageDelivery: 'inline',
  imageTokens: areaTokens,
} as const;

/**
 * https://ai.google.dev/gemini-api/docs/image-understanding: 20 MB in one request with inline data, 3,600 pictures;
 * on Vertex AI 7 MB for one of them and 900 in the newest models
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding).
 */
const GEMINI = {
  bodyBytes: 20 * MB,
  maxImages: 900,
  imageBytes: 7 * MB * BEFORE_BASE64,
  imagesTotalBytes: null,
  imageSide: 3072,
  imageFormats: ['image/png', 'image/jpeg', 'image/webp'],
  imageDelivery: 'inline',
  imageTokens: geminiTokens,
} as const;

/**
 * For every other model: what nearly all of them take. 30 MB of body is what strict gateways let through; 20 pictures,
 * formats and pixels are the smallest of those above.
 */
const CAREFUL: EndpointProfile = {
  name: 'careful',
  windowTokens: 128_000,
  inputTokens: null,
  bodyBytes: 30 * MB,
  maxImages: 20,
  imageBytes: 5_242_880 * BEFORE_BASE64,
  imagesTotalBytes: null,
  imageSide: 1568,
  imageFormats: ['image/png', 'image/jpeg'],
  imageDelivery: 'inline',
  imageTokens: mostTokens,
};

/** Windows: https://platform.openai.com/docs/models, each model's own page. */
const openai = (
  name: string,
  windowTokens: number,
  imageTokens: EndpointProfile['imageTokens'],
  inputTokens: number | null = null,
): EndpointProfile => ({ ...OPENAI, name, windowTokens, inputTokens, imageTokens });

/** The first that a name begins with, after what a gateway puts before it (`openai/`, `azure/`); most special first. */
const PROFILES: readonly [RegExp, EndpointProfile][] = [
  [/^gpt-4\.1-mini/, openai('gpt-4.1-mini', 1_047_576, patchTokens(1.62))],
  [/^gpt-4\.1-nano/, openai('gpt-4.1-nano', 1_047_576, patchTokens(2.46))],
  [/^gpt-4\.1/, openai('gpt-4.1', 1_047_576, tileTokens(85, 170))],
  [/^gpt-4o-mini/, openai('gpt-4o-mini', 128_000, tileTokens(2_833, 5_667))],
  [/^(chatgpt-4o|gpt-4o)/, openai('gpt-4o', 128_000, tileTokens(85, 170))],
  [/^gpt-5[^/]*-mini/, openai('gpt-5-mini', 400_000, patchTokens(1.62), 272_000)],
  [/^gpt-5[^/]*-nano/, openai('gpt-5-nano', 400_000, patchTokens(2.46), 272_000)],
  // The formula of the newer ones of the family differs; the larger of both holds for all.
  [
    /^gpt-5/,
    openai('gpt-5', 400_000, (w, h) => Math.max(tileTokens(70, 140)(w, h), patchTokens(1)(w, h)), 272_000),
  ],
  [/^o4-mini/, openai('o4-mini', 200_000, patchTokens(1.72))],
  [/^o[13]/, openai('o-series', 200_000, tileTokens(75, 150))],
  [/^(anthropic[./])?claude/, { ...ANTHROPIC, name: 'claude', windowTokens: 200_000, inputTokens: null }],
  [/^gemini/, { ...GEMINI, name: 'gemini', windowTokens: 1_114_112, inputTokens: 1_048_576 }],
];

const GATEWAY_PREFIX = /^(?:[a-z0-9_-]+\/)+/i;

/** The built-in profile for a model; a careful one when the name says nothing. */
export function endpointProfile(model: string): EndpointProfile {
  const name = model.toLowerCase().replace(GATEWAY_PREFIX, '');
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1] ?? CAREFUL;
}
