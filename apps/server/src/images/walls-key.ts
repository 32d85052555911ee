import { createHash } from 'node:crypto';
import { IMAGE_LADDER, type ImageWalls } from '@plinth/engine';

/** Raise it when the same picture, rung and walls come to other bytes: what was made before is then made anew. */
const RECIPE = 2;
const LENGTH = 32;

/** Names walls in the key of a variant. The order of the formats says nothing. */
export function wallsKey({ side, bytes, formats }: ImageWalls): string {
  const walls = JSON.stringify([RECIPE, IMAGE_LADDER, side, bytes, [...formats].sort()]);
  return createHash('sha256').update(walls).digest('hex').slice(0, LENGTH);
}
