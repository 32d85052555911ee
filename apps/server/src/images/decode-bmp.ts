import { decode } from 'bmp-ts';

export const BMP_TYPE = 'image/bmp';

export type DecodedBmp =
  | { ok: true; width: number; height: number; pixels: Uint8Array }
  | { ok: false; reason: string };

/** Bytes of the file header and of the first fields of the image header, which hold the size. */
const HEADER_BYTES = 26;
const CHANNELS = 4;

/** A BMP, which libvips does not read, as RGBA. Its size is looked at before memory is taken for it. */
export function decodeBmp(bytes: Uint8Array, maxPixels: number): DecodedBmp {
  const damaged = { ok: false, reason: 'The file is damaged or cut short, and cannot be decoded.' } as const;
  if (bytes.byteLength < HEADER_BYTES) return damaged;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // A negative height says that the rows stand from top to bottom.
  const pixelCount = Math.abs(buffer.readInt32LE(18)) * Math.abs(buffer.readInt32LE(22));
  if (pixelCount > maxPixels)
    return {
      ok: false,
      reason: `The picture has more than ${maxPixels / 1_000_000} million pixels. Send a smaller one.`,
    };
  try {
    const { width, height, data } = decode(buffer, { toRGBA: true });
    if (data.length !== width * height * CHANNELS) return damaged;
    return { ok: true, width, height, pixels: opaqueUnlessSaid(data) };
  } catch {
    return damaged;
  }
}

/** Most programs leave the fourth byte at 0 and mean opaque. */
function opaqueUnlessSaid(pixels: Uint8Array): Uint8Array {
  for (let at = CHANNELS - 1; at < pixels.length; at += CHANNELS) if (pixels[at] !== 0) return pixels;
  for (let at = CHANNELS - 1; at < pixels.length; at += CHANNELS) pixels[at] = 255;
  return pixels;
}
