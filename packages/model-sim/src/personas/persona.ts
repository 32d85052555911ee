import type { Refusal } from '../api/refusal.js';
import type { PromptImage } from '../images/read-images.js';

/** What an endpoint takes in one request. Null: it names no such limit. */
export type Walls = {
  /** Tokens of a request; whether those of the answer count as well is the provider's own rule. */
  windowTokens: number;
  bodyBytes: number;
  maxImages: number;
  /** Bytes of one image; whether before or after base64 is the provider's own rule. */
  imageBytes: number | null;
  /** Bytes of all images, as they stand in the body. */
  imagesTotalBytes: number | null;
  /** Pixels of one side. */
  imageSide: number | null;
  /** A stricter side for requests with more images than this. */
  manyImages: { above: number; side: number } | null;
};

/** A prompt whose shape is right and whose images are decoded. */
export type Prompt = {
  images: readonly PromptImage[];
  messageTokens: number;
  toolTokens: number;
  tokens: number;
  /** Tokens that the answer may have; 0 when the request does not say. */
  answerTokens: number;
};

/** Refuses what one provider refuses, in its words. */
export type Persona = {
  walls: Walls;
  /** Whether it reports what it had in its prompt cache without being told to cache. */
  cachesPrefixes: boolean;
  /** Undefined when the body fits. */
  refuseBody(sizeBytes: number): Refusal | undefined;
  /** Undefined when the images may be read. Called before the tokens are counted. */
  refuseImages(images: readonly PromptImage[]): Refusal | undefined;
  /** Undefined when the prompt fits. */
  refuseTokens(prompt: Prompt): Refusal | undefined;
  /** Tokens of one image, by the published formula. */
  imageTokens(size: { width: number; height: number }, detail: string | undefined): number;
};

/** Makes a persona with its published walls, or with others in their place. */
export type MakePersona = (walls?: Partial<Walls>) => Persona;
