import { encode as encodeBmp } from 'bmp-ts';
import sharp, { type Sharp } from 'sharp';

/** The pictures that the pipeline is tried with. Sharp makes what it can; the rest is written byte by byte. */
export const WIDTH = 60;
export const HEIGHT = 40;
const HALF_WIDTH = WIDTH / 2;
const HALF_HEIGHT = HEIGHT / 2;

/** Four colours, one in each quarter, from the top left in the direction of reading. */
export const QUARTERS = [
  [220, 30, 30],
  [30, 180, 30],
  [30, 30, 220],
  [230, 220, 40],
] as const;

/** An upright picture in four colours. */
export function quartered(): Sharp {
  const [first] = QUARTERS;
  const [r, g, b] = first;
  const tile = ([red, green, blue]: readonly number[], left: number, top: number) => ({
    input: {
      create: {
        width: HALF_WIDTH,
        height: HALF_HEIGHT,
        channels: 3 as const,
        background: { r: red, g: green, b: blue },
      },
    },
    left,
    top,
  });
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: { r, g, b } } }).composite([
    tile(QUARTERS[1], HALF_WIDTH, 0),
    tile(QUARTERS[2], 0, HALF_HEIGHT),
    tile(QUARTERS[3], HALF_WIDTH, HALF_HEIGHT),
  ]);
}

type Turn = (image: Sharp) => Sharp;
const right: Turn = (image) => image.rotate(90);
const around: Turn = (image) => image.rotate(180);
const left: Turn = (image) => image.rotate(270);
const mirror: Turn = (image) => image.flop();
const upsideDown: Turn = (image) => image.flip();

/** What a camera does to an upright picture before it notes the orientation (Exif 2.32, tag 0x0112). */
const HELD: Record<number, Turn[]> = {
  1: [],
  2: [mirror],
  3: [around],
  4: [upsideDown],
  5: [right, mirror],
  6: [left],
  7: [right, mirror, around],
  8: [right],
};

/** The upright picture as a JPEG whose pixels lie otherwise, with the orientation that says how. */
export async function heldAs(orientation: number): Promise<Buffer> {
  let pixels = await quartered().png().toBuffer();
  for (const turn of HELD[orientation] ?? []) pixels = await turn(sharp(pixels)).png().toBuffer();
  return sharp(pixels)
    .withMetadata({ orientation })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Something like a photo: soft colours with the noise of a sensor. */
export function photo(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <linearGradient id="a" x2="1" y2="1"><stop offset="0" stop-color="#204060"/><stop offset="1" stop-color="#e0b080"/></linearGradient>
    <radialGradient id="b"><stop offset="0" stop-color="#fff" stop-opacity="0.8"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    </defs><rect width="100%" height="100%" fill="url(#a)"/><circle cx="30%" cy="40%" r="35%" fill="url(#b)"/></svg>`;
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 22 },
    },
  }).composite([{ input: Buffer.from(svg), blend: 'soft-light' }]);
}

export const withAlpha = (): Sharp =>
  sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  });

/** Two frames, of which the first is red and the second blue. */
export async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all([frame('#ff0000'), frame('#0000ff')]);
  return sharp(frames, { join: { animated: true } })
    [format]({ loop: 0 })
    .toBuffer();
}

/** A BMP of 32 bits whose fourth byte is 0 everywhere, as most programs write it. */
export async function bmp(): Promise<Buffer> {
  const { data } = await quartered().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  // The encoder takes ABGR.
  const swapped = Buffer.alloc(data.length);
  for (let at = 0; at < data.length; at += 4) {
    swapped[at + 1] = data[at + 2] ?? 0;
    swapped[at + 2] = data[at + 1] ?? 0;
    swapped[at + 3] = data[at] ?? 0;
  }
  return Buffer.from(encodeBmp({ data: swapped, width: WIDTH, height: HEIGHT, bitPP: 32 }).data);
}

/** A PNG that says it has 60000 x 60000 pixels, in 200 bytes. */
export async function pngBombHeader(): Promise<Buffer> {
  const png = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  png.writeInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** 400 million pixels of one colour: a few megabytes. */
export const flatBomb = (): Promise<Buffer> =>
  sharp({
    create: { width: 20_000, height: 20_000, channels: 3, background: '#f00' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 1 })
    .toBuffer();

/** The box that a HEIC photo begins with (ISO 14496-12, 4.3). */
export function heicHead(): Buffer {
  const brands = Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(brands.length + 4);
  return Buffer.concat([size, brands, Buffer.alloc(64)]);
}

export const svg = (inside: string, size = 'width="60" height="40"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`,
  );

/** As PNG wants it (ISO 15948, annex D): Node has one only from 22.2. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}
