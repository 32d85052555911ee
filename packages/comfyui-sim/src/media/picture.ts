import sharp from 'sharp';
import { randomFrom } from './random.js';

/** Pixels, three bytes each, row by row. */
export interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

interface Blot {
  x: number;
  y: number;
  radius: number;
  color: number[];
}

const CHANNELS = 3;
const BLOTS = 7;

/** Draws soft blots on a gradient. The same seed and text give the same pixels. */
export function drawPicture(width: number, height: number, seed: number | string, text: string): Picture {
  const random = randomFrom(seed, text);
  const color = () => [random() * 255, random() * 255, random() * 255];
  const [top, bottom] = [color(), color()];
  const blots: Blot[] = Array.from({ length: BLOTS }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.1 + random() * 0.3) * Math.min(width, height),
    color: color(),
  }));
  const rgb = new Uint8Array(width * height * CHANNELS);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = pixelAt(x, y, y / height, top, bottom, blots);
      rgb.set(pixel, (y * width + x) * CHANNELS);
    }
  }
  return { width, height, rgb };
}

function pixelAt(
  x: number,
  y: number,
  depth: number,
  top: number[],
  bottom: number[],
  blots: readonly Blot[],
): number[] {
  let pixel = top.map((value, channel) => value + ((bottom[channel] ?? 0) - value) * depth);
  for (const { x: centerX, y: centerY, radius, color } of blots) {
    const distance = Math.hypot(x - centerX, y - centerY) / radius;
    if (distance >= 1) continue;
    const weight = 1 - distance * distance;
    pixel = pixel.map((value, channel) => value + ((color[channel] ?? 0) - value) * weight);
  }
  return pixel;
}

export function inverted({ width, height, rgb }: Picture): Picture {
  return { width, height, rgb: rgb.map((value) => 255 - value) };
}

const raw = ({ width, height, rgb }: Picture) => sharp(rgb, { raw: { width, height, channels: CHANNELS } });

export function encodePng(picture: Picture): Promise<Buffer> {
  return raw(picture).png().toBuffer();
}

/** As a sampler previews it: at most 64 pixels on each side. */
export function encodePreview(picture: Picture): Promise<Buffer> {
  return raw(picture).resize(64, 64, { fit: 'inside' }).jpeg().toBuffer();
}

/** @throws Error when the bytes are no picture */
export async function decodePicture(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes)
    .flatten()
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== CHANNELS) throw new Error(`the picture has ${info.channels} channels`);
  return { width: info.width, height: info.height, rgb: data };
}
