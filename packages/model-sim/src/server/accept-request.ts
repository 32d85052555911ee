import { badRequest, contentTooLarge } from '../api/api-error.js';
import type { ChatRequest } from '../api/chat-request.js';
import { isJsonObject } from '../api/chat-request.js';
import { BodyRefusal } from '../api/refusal.js';
import { type PromptImage, readImages } from '../images/read-images.js';
import { choosePersona, type PersonaSetting } from '../personas/choose-persona.js';
import type { Persona, Walls } from '../personas/persona.js';
import type { PrefixCache } from '../replies/prefix-cache.js';
import { type ImageTokens, promptPieces } from '../replies/prompt-pieces.js';
import { type CountedPrompt, countPlainly, promptTokens } from '../replies/usage.js';
import { validateChatRequest } from '../validation/validate-chat-request.js';
import type { RequestBody } from './read-body.js';

const NOT_JSON =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";

/** The published limit of the real API for one request's payload. */
const DEFAULT_BODY_LIMIT_BYTES = 50_000_000;
/** Of an image whose size is not known. */
const UNKNOWN_SIZE = { width: 1024, height: 1024 };

export type AcceptOptions = {
  /** Of every request. Undefined: that of the persona, or of the real API. */
  bodyLimitBytes: number | undefined;
  persona: PersonaSetting | undefined;
  walls: Partial<Walls>;
  fetchImages: boolean;
};

/** Told of each image that an address gave. */
export type OnFetched = Parameters<typeof readImages>[2];

/** A request that may be answered. */
export type AcceptedRequest = {
  request: ChatRequest;
  /** Counts the prompt for the usage; what it says of the cache is true once. */
  count(cache: PrefixCache, credential: string): CountedPrompt;
};

/**
 * Checks a body as the persona that its model names does: size, form, images, tokens.
 *
 * @throws Refusal
 */
export async function acceptRequest(
  body: RequestBody,
  options: AcceptOptions,
  onFetched?: OnFetched,
): Promise<AcceptedRequest> {
  const parsed = body.tooLarge ? undefined : parse(body.text);
  const model = isJsonObject(parsed) ? parsed.model : undefined;
  const persona = choosePersona(model, options.persona, wallsOf(options));
  refuseBody(body, persona, options.bodyLimitBytes);
  if (parsed === undefined) throw badRequest(NOT_JSON, null);
  const request = validateChatRequest(parsed, { imageFormats: persona === undefined });
  if (!persona) return { request, count: () => countPlainly(request) };
  const images = await readImages(request.messages, options.fetchImages, onFetched);
  refuse(persona.refuseImages(images));
  const pieces = promptPieces(request, imageTokensOf(persona, images));
  const tokens = promptTokens(pieces);
  const toolTokens = pieces.reduce((sum, piece) => sum + (piece.kind === 'tools' ? piece.tokens : 0), 0);
  const answerTokens = request.max_completion_tokens ?? request.max_tokens ?? 0;
  refuse(
    persona.refuseTokens({ images, tokens, toolTokens, messageTokens: tokens - toolTokens, answerTokens }),
  );
  return {
    request,
    count: (cache, credential) => ({
      tokens,
      cachedTokens: persona.cachesPrefixes
        ? cache.take(JSON.stringify([credential, request.model, request.prompt_cache_key ?? null]), pieces)
        : 0,
    }),
  };
}

function wallsOf({ bodyLimitBytes, walls }: AcceptOptions): Partial<Walls> {
  return bodyLimitBytes === undefined ? walls : { ...walls, bodyBytes: bodyLimitBytes };
}

function refuseBody(
  { sizeBytes }: RequestBody,
  persona: Persona | undefined,
  limitBytes = DEFAULT_BODY_LIMIT_BYTES,
): void {
  const refusal = persona
    ? persona.refuseBody(sizeBytes)
    : sizeBytes > limitBytes && contentTooLarge(sizeBytes, limitBytes);
  if (refusal) throw new BodyRefusal(refusal);
}

function refuse(refusal: Error | undefined): void {
  if (refusal) throw refusal;
}

function imageTokensOf(persona: Persona, images: readonly PromptImage[]): ImageTokens {
  const placeOf = (messageIndex: number, partIndex: number) => `${messageIndex}.${partIndex}`;
  const contents = new Map(
    images.map(({ messageIndex, partIndex, content }) => [placeOf(messageIndex, partIndex), content]),
  );
  return ({ image_url: { detail } }, messageIndex, partIndex) => {
    const content = contents.get(placeOf(messageIndex, partIndex));
    const facts = content && 'facts' in content ? content.facts : undefined;
    return persona.imageTokens(facts ?? UNKNOWN_SIZE, detail);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
