import { imageSize } from 'image-size';

/** What a decoder finds out about an image. */
export type ImageFacts = { mimeType: string; width: number; height: number };

const MIME_TYPES: Record<string, string> = { jpg: 'image/jpeg', svg: 'image/svg+xml' };

/** Reads type and size from the bytes; undefined for what is no image, and for one whose end is missing. */
export function inspectImage(bytes: Buffer): ImageFacts | undefined {
  const found = readHeader(bytes);
  if (!found?.type || !isWhole(bytes, found.type)) return undefined;
  const mimeType = MIME_TYPES[found.type] ?? `image/${found.type}`;
  return { mimeType, width: found.width, height: found.height };
}

/** The package throws for what it does not know, and for a header that is cut short. */
function readHeader(bytes: Buffer): ReturnType<typeof imageSize> | undefined {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
}

/** By what each format ends with; of the others nothing is known. */
function isWhole(bytes: Buffer, type: string): boolean {
  if (type === 'png') return bytes.includes('IEND', Math.max(0, bytes.length - 64), 'latin1');
  if (type === 'jpg') return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 0;
  if (type === 'webp') return bytes.readUInt32LE(4) + 8 <= bytes.length;
  return true;
}
