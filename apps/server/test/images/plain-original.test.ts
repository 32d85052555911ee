import type { ImageWalls } from '@plinth/engine';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { plainOriginal } from '../../src/images/plain-original.js';
import { renderPicture } from '../../src/images/render-picture.js';
import type { RenderedPicture } from '../../src/images/rendered-picture.js';
import { photo } from './corpus.js';

const WALLS: ImageWalls = {
  side: 2_000,
  bytes: 5_000_000,
  formats: ['image/jpeg', 'image/png', 'image/webp'],
};
/** Of less quality than step 0 has: made anew it would be larger. */
const thrifty = (width = 600) => photo(width, 400).jpeg({ quality: 55 });
const stepZero = async (bytes: Buffer, walls = WALLS) =>
  (await renderPicture({ bytes, step: 0, walls })) as RenderedPicture;
const isItself = async (bytes: Buffer, walls = WALLS) =>
  bytes.equals(Buffer.from((await stepZero(bytes, walls)).bytes));

describe('a picture that is already as a model takes it', () => {
  test('goes as it is when made anew it would have more bytes', async () => {
    const jpeg = await thrifty().toBuffer();
    expect(await stepZero(jpeg)).toMatchObject({ mimeType: 'image/jpeg', width: 600, height: 400 });
    expect(await isItself(jpeg)).toBe(true);
    expect(await isItself(await thrifty().jpeg({ progressive: true, quality: 55 }).toBuffer())).toBe(true);
    const drawing = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#456' } })
      .png({ palette: true })
      .toBuffer();
    expect(await isItself(drawing)).toBe(true);
  });

  test('is made anew where that has fewer bytes', async () => {
    const heavy = await photo(600, 400).jpeg({ quality: 100 }).toBuffer();
    expect((await stepZero(heavy)).bytes.byteLength).toBeLessThan(heavy.byteLength);
  });

  test('is made anew where the file holds anything but the picture', async () => {
    const plain = await thrifty().toBuffer();
    const withSegment = (marker: number, text: string, at = 2) =>
      Buffer.concat([
        plain.subarray(0, at),
        Buffer.from([0xff, marker, 0, text.length + 2]),
        Buffer.from(text),
        plain.subarray(at),
      ]);
    const scan = plain.indexOf(Buffer.from([0xff, 0xda]));
    const all = [
      await thrifty()
        .withExif({ IFD0: { Artist: 'Ada' } })
        .toBuffer(),
      await thrifty().withMetadata({ orientation: 6 }).toBuffer(),
      await thrifty().withIccProfile('p3').toBuffer(),
      withSegment(0xfe, 'a comment'),
      withSegment(0xed, 'of a picture desk'),
      Buffer.concat([plain, Buffer.from('a film behind it')]),
      withSegment(0xe1, 'before the scan', scan),
      withSegment(0xe1, 'behind the scan', plain.length - 2),
      withSegment(0xe0, 'JFIF with a picture of its own'),
      plain.subarray(0, -2),
    ];
    for (const [index, bytes] of all.entries())
      expect([index, await plainOriginal(bytes, WALLS)]).toEqual([index, null]);
    const png = await photo(60, 40).png().toBuffer();
    const iend = png.length - 12;
    const text = Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from('tEXta\0b'), Buffer.alloc(4)]);
    expect(await plainOriginal(png, WALLS)).not.toBeNull();
    expect(
      await plainOriginal(Buffer.concat([png.subarray(0, iend), text, png.subarray(iend)]), WALLS),
    ).toBeNull();
  });

  test('is made anew where it breaks a wall', async () => {
    const jpeg = await thrifty().toBuffer();
    for (const walls of [
      { ...WALLS, side: 599 },
      { ...WALLS, bytes: jpeg.byteLength - 1 },
      { ...WALLS, formats: ['image/webp'] as const },
    ])
      expect(await isItself(jpeg, walls)).toBe(false);
  });
});
