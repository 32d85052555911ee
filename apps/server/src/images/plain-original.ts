import type { ImageVariant, ImageWalls } from '@plinth/engine';
import sharp from 'sharp';
import type { RenderedPicture } from './rendered-picture.js';

/**
 * Whether a picture is already what would be made of it, so that its own bytes can go to a model: upright, sRGB with 8 bits,
 * one frame, within the walls, and with nothing in the file but the picture. What else a file may hold (where it was taken,
 * with what, a film) is told to nobody, so a part that is not known here is one too many.
 */

const MIME_TYPES: Readonly<Record<string, ImageVariant['mimeType']>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
};

/** Its own bytes as a variant; null when something has to be done about it. */
export async function plainOriginal(
  bytes: Uint8Array,
  { side, bytes: most, formats }: ImageWalls,
): Promise<RenderedPicture | null> {
  if (bytes.byteLength > most) return null;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { format, width, height, space, depth, orientation = 1, icc } = await sharp(file).metadata();
  const mimeType = MIME_TYPES[format];
  const isAsMade = space === 'srgb' && depth === 'uchar' && orientation === 1 && icc === undefined;
  if (mimeType === undefined || !formats.includes(mimeType) || !isAsMade) return null;
  if (Math.max(width, height) > side) return null;
  const isBare = mimeType === 'image/jpeg' ? isBareJpeg(file) : isBarePng(file);
  return isBare ? { kind: 'picture', bytes, mimeType, width, height } : null;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const JFIF = 0xe0;
/** Bytes of a JFIF segment that brings no small picture of its own (JFIF 1.02). */
const JFIF_BYTES = 16;
/** ITU-T T.81, table B.1: frames and tables, and Adobe's word about colours (APP14). */
const isPictureMarker = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || marker === 0xdb || marker === 0xdd || marker === 0xee;

/** Nothing but the picture up to its scans, between them and behind them. */
function isBareJpeg(file: Buffer): boolean {
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    if (marker === START_OF_SCAN) return hasOnlyScans(file, at);
    const sizeBytes = file.readUInt16BE(at + 2);
    const isKnown = marker === JFIF ? sizeBytes === JFIF_BYTES : isPictureMarker(marker);
    if (!isKnown) return false;
    at += 2 + sizeBytes;
  }
  return false;
}

/** Takes each marker-like pair of bytes for one: in doubt the picture is made anew. */
function hasOnlyScans(file: Buffer, from: number): boolean {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1] ?? 0;
    const isOfScan = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
    if (isOfScan || marker === START_OF_SCAN || isPictureMarker(marker)) continue;
    return marker === END_OF_IMAGE && at === file.length - 2;
  }
  return false;
}

const PNG_HEAD_BYTES = 8;
/** PNG specification, 11: what the pixels are, and how dense. */
const PICTURE_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'sRGB', 'pHYs']);

function isBarePng(file: Buffer): boolean {
  let at = PNG_HEAD_BYTES;
  while (at + 12 <= file.length) {
    const end = at + 12 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return end === file.length;
    if (!PICTURE_CHUNKS.has(type)) return false;
    at = end;
  }
  return false;
}
