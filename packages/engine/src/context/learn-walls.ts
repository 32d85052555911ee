import type { ContextOverflow } from '../models/context-overflow.js';
import type { ContextCut, LearnedWalls } from './context-cut.js';
import { bytesInBody } from './draft-request.js';
import type { FittingPlan } from './plan-context.js';

/** How far a request is brought down whose endpoint has not said what it takes. */
const STEP_DOWN = 0.6;
/** A little below what an endpoint names: it counts in a way of its own. */
const BELOW = 0.97;
/** What is base64 in the body has three quarters of its bytes in the picture. */
const BEFORE_BASE64 = 0.75;

/**
 * What a refused request teaches: the wall that was named, else a firm step down. The next plan with this cut is another
 * request, or none.
 *
 * @param sent the plan that was refused, with its tokens counted in full
 * @param newImages hashes of the pictures that no request before had: one of them is the one that was refused
 */
export function learnWalls(
  { kind, limit, actual }: ContextOverflow,
  sent: FittingPlan,
  newImages: ReadonlySet<string>,
): ContextCut {
  const { cut, draft } = sent;
  // Refused for pictures that it did not have: nothing is learned, and the request is not sent again.
  if (kind.startsWith('image') && draft.pictures.length === 0) return cut;
  const learned: LearnedWalls = { ...cut.learned };
  const largest = Math.max(0, ...draft.pictures.map(({ size }) => size.sizeBytes));
  switch (kind) {
    case 'tokens':
      learned.inputTokens = tokenWall(sent.tokens, limit, actual);
      break;
    case 'body_bytes':
      learned.bodyBytes = below(sent.bytes, limit);
      break;
    case 'images_total':
      learned.imagesTotalBytes = below(
        draft.pictures.reduce((sum, one) => sum + bytesInBody(one), 0),
        limit,
      );
      break;
    case 'image_bytes':
      learned.imageBytes = below(largest, limit === null ? null : limit * BEFORE_BASE64);
      break;
    case 'image_side': {
      const sides = draft.pictures.map(({ size }) => Math.max(size.width, size.height));
      learned.imageSide = Math.max(1, below(Math.max(0, ...sides), limit));
      break;
    }
    case 'image_count':
      learned.maxImages =
        limit !== null && limit < draft.pictures.length ? limit : Math.floor(draft.pictures.length / 2);
      break;
    case 'image_rejected': {
      const suspects = draft.pictures.filter(({ image }) => newImages.has(image.sha256));
      const rejected = (suspects.length > 0 ? suspects : draft.pictures).map(({ image }) => image.sha256);
      const images = {
        ...cut.images,
        ...Object.fromEntries(rejected.map((sha256) => [sha256, 'rejected' as const])),
      };
      return { ...cut, images };
    }
  }
  return { ...cut, learned };
}

/** The named limit, if what was sent is above it at all; else a step down from what was sent. */
const below = (sent: number, limit: number | null): number =>
  Math.floor(limit !== null && limit < sent ? limit : sent * STEP_DOWN);

/** Limit and actual are counted by the endpoint: their ratio is what our own count has to come down by. */
function tokenWall(sent: number, limit: number | null, actual: number | null): number {
  if (limit !== null && actual !== null && limit < actual) return Math.floor(sent * (limit / actual) * BELOW);
  return below(sent, limit);
}
