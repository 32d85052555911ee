import type { ImageStep } from './image-ref.js';

/** A rung: the longer side in pixels at most, and the quality of the JPEG or WebP. */
export interface Rung {
  side: number;
  quality: number;
}

/** First pixels, then quality; each rung has about half the bytes of the one before it. Rung 0 is the walls' own size. */
export const IMAGE_LADDER: readonly Rung[] = [
  { side: Number.POSITIVE_INFINITY, quality: 90 },
  { side: 2048, quality: 85 },
  { side: 1536, quality: 80 },
  { side: 1024, quality: 75 },
  { side: 768, quality: 70 },
  { side: 512, quality: 60 },
];

export const LAST_STEP: ImageStep = IMAGE_LADDER.length - 1;
