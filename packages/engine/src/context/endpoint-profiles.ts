import type { EndpointProfile } from './endpoint-profile.js';
import {
  claudeTokens,
  geminiTokens,
  largestOf,
  mostTokens,
  patchTokens,
  recentPatchTokens,
  tileTokens,
} from './image-tokens.js';

/**
 * The walls of endpoints whose models are well known, by the name of the model. A family has the smallest walls that any of
 * its models was found with in 2026-11: newer models take more. Of the pages below only Claude's and Vertex's could be read
 * (in stored copies); the other numbers are what these pages are quoted with elsewhere. A tenant that knows better says so in
 * `context.endpoint`. Where a limit is given in MB, the smaller reading, 10^6 bytes, is taken.
 */

const MB = 1_000_000;
/** What is base64 in the body has three quarters of its bytes in the picture. */
const BEFORE_BASE64 = 0.75;

/**
 * https://platform.openai.com/docs/guides/images-vision, "Image input requirements": 50 MB and 500 pictures in one request,
 * PNG, JPEG, WEBP, still GIF. For one picture 20 MB is what refusals and older wordings of the page name. By default no
 * model looks at more than 2048 pixels.
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
 * https://platform.claude.com/docs/en/build-with-claude/vision, "General limits": 100 pictures in one request for models
 * with a window of 200,000 tokens (600 for others), 32 MB; 8000 pixels a side, 2000 when there are more than twenty. Models
 * before Opus 4.7 resize what is above 1568. A picture of more than 5 MB as it stands in the body is refused
 * (`image exceeds 5 MB maximum: ... > 5242880 bytes`).
 */
const ANTHROPIC = {
  bodyBytes: 32 * MB,
  maxImages: 100,
  imageBytes: 5_242_880 * BEFORE_BASE64,
  imagesTotalBytes: null,
  imageSide: 1568,
  imageFormats: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  imageDelivery: 'inline',
  imageTokens: claudeTokens,
} as const;

/**
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding: 7 MB for one picture that is
 * sent inline; 3,000 pictures, 900 for the preview of Gemini 3 Pro. 20 MB for the whole request is the older wall of the
 * Gemini API (https://ai.google.dev/gemini-api/docs/image-understanding). No wall of pixels is named; 3072 is what earlier
 * models scaled down to.
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
 * For every other model: pixels, formats and bytes of a picture are the smallest of those above. The rest is a careful
 * guess: 20 pictures, and 30 MB of body, which is just below the walls of gateways that stop at 30 MiB or 32 MB.
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

/** Windows: each model's own page under https://platform.openai.com/docs/models; where a family differs, its smallest. */
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
  [/^gpt-5[^/]*-chat/, openai('gpt-5-chat', 128_000, largestOf(tileTokens(70, 140), recentPatchTokens))],
  // The first ones of the family see tiles, since 5.2 they see patches.
  [/^gpt-5/, openai('gpt-5', 400_000, largestOf(tileTokens(70, 140), recentPatchTokens), 272_000)],
  [/^o4-mini/, openai('o4-mini', 200_000, patchTokens(1.72))],
  // o1-mini and o1-preview have the window of those that nobody knows.
  [/^o(3|1(?!-mini|-preview))/, openai('o-series', 200_000, tileTokens(75, 150))],
  [/^(anthropic[./])?claude/, { ...ANTHROPIC, name: 'claude', windowTokens: 200_000, inputTokens: null }],
  [/^gemini/, { ...GEMINI, name: 'gemini', windowTokens: 1_114_112, inputTokens: 1_048_576 }],
];

const GATEWAY_PREFIX = /^(?:[a-z0-9_-]+\/)+/i;

/** The built-in profile for a model; a careful one when the name says nothing. */
export function endpointProfile(model: string): EndpointProfile {
  const name = model.toLowerCase().replace(GATEWAY_PREFIX, '');
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1] ?? CAREFUL;
}
