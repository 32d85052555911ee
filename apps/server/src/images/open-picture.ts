import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { detectArtifact } from '../artifacts/detect-artifact.js';
import { BMP_TYPE, decodeBmp } from './decode-bmp.js';

/** Pixels of one frame: a camera of 100 megapixels. Decoded, that is 400 MB at most with 8 bits a channel. */
export const MAX_PIXELS = 100_000_000;
/** What a drawing is made large enough for, when its own size is that of an icon. Pixels. */
const DRAWING_SIDE = 1024;
/** Dots an inch at which an SVG has the size that it says. */
const SVG_DENSITY = 72;
/** The most that libvips takes. */
const MAX_DENSITY = 100_000;

/** What libvips decodes as it is built for sharp. Everything else has a sentence. */
const DECODED = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
  'image/svg+xml',
]);

const UNKNOWN_TYPE = 'application/octet-stream';

export interface Picture {
  /** Decodes it anew, with no more detail than this longer side needs. */
  open(side: number): Sharp;
  /** True when at least one pixel is not opaque. */
  hasAlpha: boolean;
}

export type Opened = { ok: true; picture: Picture } | { ok: false; reason: string };

const unreadable = (reason: string): Opened => ({ ok: false, reason });

/** Looks at what the bytes are, whatever anybody says of them, and at the header. Decodes pixels only to look for alpha. */
export async function openPicture(bytes: Uint8Array): Promise<Opened> {
  if (bytes.byteLength === 0) return unreadable('The file is empty.');
  const { kind, mimeType } = await detectArtifact(bytes);
  if (mimeType === UNKNOWN_TYPE)
    return unreadable('The file is damaged, or no picture of a type that is known here.');
  if (kind !== 'image') return unreadable(`The file is not a picture: its bytes are ${mimeType}.`);
  if (mimeType === BMP_TYPE) return openBmp(bytes);
  if (!DECODED.has(mimeType))
    return unreadable(`Pictures of the type ${mimeType} cannot be read here. Send it as JPEG or PNG.`);
  return openWith(bytes, {}, mimeType === 'image/svg+xml');
}

function openBmp(bytes: Uint8Array): Promise<Opened> | Opened {
  const decoded = decodeBmp(bytes, MAX_PIXELS);
  if (!decoded.ok) return decoded;
  const { width, height, pixels } = decoded;
  return openWith(pixels, { raw: { width, height, channels: 4 } }, false);
}

async function openWith(bytes: Uint8Array, more: SharpOptions, isDrawing: boolean): Promise<Opened> {
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', ...more };
  try {
    const metadata = await sharp(bytes, options).metadata();
    const { width, height } = metadata;
    const open = (side: number) =>
      sharp(bytes, isDrawing ? { ...options, density: densityFor(metadata, side) } : options);
    // Of a frame: an animation's height is that of one.
    if (width * height > MAX_PIXELS) return unreadable(tooLarge(width, height));
    const hasAlpha = metadata.hasAlpha && !(await open(DRAWING_SIDE).stats()).isOpaque;
    return { ok: true, picture: { open, hasAlpha } };
  } catch (error) {
    return unreadable(reasonOf(error));
  }
}

function densityFor({ width, height }: Metadata, side: number): number {
  const wanted = Math.min(side, DRAWING_SIDE) / Math.max(width, height);
  return Math.min(MAX_DENSITY, Math.max(SVG_DENSITY, Math.ceil(SVG_DENSITY * wanted)));
}

const tooLarge = (width: number, height: number) =>
  `The picture has ${width} x ${height} pixels; at most ${MAX_PIXELS / 1_000_000} million are read. Send a smaller one.`;

function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  return said.includes('exceeds pixel limit')
    ? `The picture has more than ${MAX_PIXELS / 1_000_000} million pixels. Send a smaller one.`
    : 'The file is damaged or cut short, and cannot be decoded.';
}
