import { IMAGE_LADDER, type ImageStep, type ImageVariant, type ImageWalls, type Rung } from '@plinth/engine';
import sharp, { type Sharp } from 'sharp';
import { openPicture, type Picture } from './open-picture.js';
import { plainOriginal } from './plain-original.js';
import type { RenderedPicture } from './rendered-picture.js';

export interface RenderJob {
  bytes: Uint8Array;
  step: ImageStep;
  walls: ImageWalls;
}

/** `reason` is a sentence for the person who sent the picture, and for the model. */
export type Rendered = RenderedPicture | { kind: 'unreadable'; reason: string };

/** WebP has 14 bits for a side (RFC 9649, 2.7); one limit for all formats keeps their sizes the same. */
const LARGEST_SIDE = 16_383;
/** Where the last rung is still too large for the endpoint, its side is halved down to this. */
const SMALLEST_SIDE = 16;
/** From here up JPEG keeps colours at full resolution: text in screenshots stays sharp. */
const FULL_COLOUR_QUALITY = 90;
/** Opaque pictures are smallest as JPEG; those with alpha need a format that has it. */
const OPAQUE_FORMATS = ['image/jpeg', 'image/webp', 'image/png', 'image/gif'] as const;
const ALPHA_FORMATS = ['image/webp', 'image/png', 'image/gif', 'image/jpeg'] as const;

/**
 * A picture on one rung, as its endpoint takes it: upright, sRGB with 8 bits, one frame, and no metadata. Step 0 is the
 * original's own bytes where they are all that already and no more; else it goes on down until the result fits the endpoint's bytes; a higher step is its rung alone, which may be larger than what step 0
 * came to. The same job is always the same bytes.
 */
export async function renderPicture({ bytes, step, walls }: RenderJob): Promise<Rendered> {
  const opened = await openPicture(bytes);
  if (!opened.ok) return { kind: 'unreadable', reason: opened.reason };
  try {
    return await firstThatFits(opened.picture, bytes, walls, rungsFrom(step));
  } catch {
    // The header was whole; what is behind it is not.
    return { kind: 'unreadable', reason: 'The file is damaged or cut short, and cannot be decoded.' };
  }
}

function rungsFrom(step: ImageStep): Rung[] {
  const rung = IMAGE_LADDER[step];
  if (rung === undefined) throw new Error(`there is no step ${step} on the ladder of pictures`);
  if (step > 0) return [rung];
  const rungs = [...IMAGE_LADDER];
  let last = rungs.at(-1) ?? rung;
  while (last.side > SMALLEST_SIDE) {
    last = { side: Math.max(SMALLEST_SIDE, Math.floor(last.side / 2)), quality: last.quality };
    rungs.push(last);
  }
  return rungs;
}

async function firstThatFits(
  picture: Picture,
  original: Uint8Array,
  walls: ImageWalls,
  rungs: Rung[],
): Promise<Rendered> {
  const mimeType = formatOf(picture, walls);
  if (mimeType === undefined)
    return { kind: 'unreadable', reason: 'The model takes no pictures in any format that can be made here.' };
  for (const rung of rungs) {
    const rendered = await render(picture, mimeType, walls, rung);
    const isFirst = rung === IMAGE_LADDER[0];
    const plain =
      isFirst && rendered.bytes.byteLength >= original.byteLength
        ? await plainOriginal(original, walls)
        : null;
    if (plain !== null) return plain;
    if (rungs.length === 1 || rendered.bytes.byteLength <= walls.bytes) return rendered;
  }
  return {
    kind: 'unreadable',
    reason: `The picture cannot be made as small as the ${walls.bytes} bytes that the model takes.`,
  };
}

function formatOf({ hasAlpha }: Picture, { formats }: ImageWalls): ImageVariant['mimeType'] | undefined {
  return (hasAlpha ? ALPHA_FORMATS : OPAQUE_FORMATS).find((format) => formats.includes(format));
}

async function render(
  { open, hasAlpha }: Picture,
  mimeType: ImageVariant['mimeType'],
  walls: ImageWalls,
  { side, quality }: Rung,
): Promise<RenderedPicture> {
  const longest = Math.min(side, walls.side, LARGEST_SIDE);
  const sized = open(longest)
    .autoOrient()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const flat = hasAlpha && mimeType !== 'image/jpeg' ? sized : sized.flatten({ background: '#ffffff' });
  const { data, info } = await encode(flat, mimeType, quality).toBuffer({ resolveWithObject: true });
  return { kind: 'picture', bytes: data, mimeType, width: info.width, height: info.height };
}

function encode(image: Sharp, mimeType: ImageVariant['mimeType'], quality: number): Sharp {
  switch (mimeType) {
    case 'image/jpeg':
      return image.jpeg({
        quality,
        chromaSubsampling: quality >= FULL_COLOUR_QUALITY ? '4:4:4' : '4:2:0',
      });
    case 'image/webp':
      return image.webp({ quality });
    case 'image/png':
      return image.png({ compressionLevel: 9, adaptiveFiltering: true });
    case 'image/gif':
      return image.gif();
  }
}

/** Nothing is kept between pictures, and one picture is one thread: how many at once is for the caller to say. */
export function tameSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}
