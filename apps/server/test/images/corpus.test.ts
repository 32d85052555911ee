import { createServer } from 'node:http';
import type { ImageWalls } from '@plinth/engine';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { renderPicture } from '../../src/images/render-picture.js';
import type { RenderedPicture } from '../../src/images/rendered-picture.js';
import { listenOn } from '../outbound-fixture.js';
import {
  animated,
  bmp,
  flatBomb,
  HEIGHT,
  heicHead,
  heldAs,
  photo,
  pngBombHeader,
  QUARTERS,
  quartered,
  svg,
  WIDTH,
  withAlpha,
} from './corpus.js';

const WALLS: ImageWalls = {
  side: 2048,
  bytes: 5_000_000,
  formats: ['image/jpeg', 'image/png', 'image/webp'],
};

async function picture(bytes: Uint8Array, walls = WALLS, step = 0): Promise<RenderedPicture> {
  const rendered = await renderPicture({ bytes, step, walls });
  if (rendered.kind !== 'picture') throw new Error(rendered.reason);
  return rendered;
}

async function reasonOf(bytes: Uint8Array, walls = WALLS): Promise<string> {
  const rendered = await renderPicture({ bytes, step: 0, walls });
  if (rendered.kind === 'picture') throw new Error(`it was rendered as ${rendered.mimeType}`);
  return rendered.reason;
}

/** Colours in the middle of the four quarters. */
async function quartersOf({ bytes }: RenderedPicture): Promise<number[][]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(start, start + 3)];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

/** How far the colours are off, at the worst place. */
async function distance(rendered: RenderedPicture): Promise<number> {
  const found = await quartersOf(rendered);
  return Math.max(
    ...found.flatMap((colour, quarter) =>
      colour.map((value, channel) => Math.abs(value - (QUARTERS[quarter]?.[channel] ?? 0))),
    ),
  );
}

describe('whatever a picture is, a model gets one that is upright, sRGB and of 8 bits', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i of a camera', async (orientation) => {
    const rendered = await picture(await heldAs(orientation));
    expect([rendered.width, rendered.height]).toEqual([WIDTH, HEIGHT]);
    expect(await distance(rendered)).toBeLessThan(12);
    expect((await sharp(rendered.bytes).metadata()).orientation).toBeUndefined();
  });

  test('a JPEG in CMYK', async () => {
    const rendered = await picture(await quartered().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer());
    expect(await sharp(rendered.bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    // Not every colour of a screen can be printed.
    expect(await distance(rendered)).toBeLessThan(100);
  });

  test('a JPEG whose profile is of another colour space has the colours of sRGB', async () => {
    const wide = await quartered().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(wide).metadata()).icc).toBeDefined();
    const rendered = await picture(wide);
    expect(await distance(rendered)).toBeLessThan(12);
    expect((await sharp(rendered.bytes).metadata()).icc).toBeUndefined();
  });

  test('a PNG of 16 bits a channel', async () => {
    const deep = await quartered().toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    const rendered = await picture(deep);
    expect((await sharp(rendered.bytes).metadata()).depth).toBe('uchar');
    expect(await distance(rendered)).toBeLessThan(12);
  });

  test.each(['gif', 'webp'] as const)('an animated %s is its first frame', async (format) => {
    const moving = await animated(format);
    expect((await sharp(moving).metadata()).pages).toBe(2);
    const rendered = await picture(moving);
    expect([rendered.width, rendered.height]).toEqual([WIDTH, HEIGHT]);
    const [[red = 0, , blue = 0] = []] = await quartersOf(rendered);
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
  });

  test('AVIF, TIFF and BMP', async () => {
    const files = [
      await quartered().avif({ quality: 90, effort: 0 }).toBuffer(),
      await quartered().tiff().toBuffer(),
      await bmp(),
    ];
    for (const file of files) {
      const rendered = await picture(file);
      expect(rendered).toMatchObject({ mimeType: 'image/jpeg', width: WIDTH, height: HEIGHT });
      expect(await distance(rendered)).toBeLessThan(20);
    }
  });

  test('a drawing is made large enough to be read, and keeps its shape', async () => {
    const rendered = await picture(
      svg('<rect width="100%" height="100%" fill="red"/>', 'width="24" height="12"'),
    );
    expect(rendered).toMatchObject({ mimeType: 'image/jpeg', width: 1024, height: 512 });
  });

  test('one pixel wide and 20,000 high', async () => {
    const thin = await sharp({ create: { width: 1, height: 20_000, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    expect(await picture(thin)).toMatchObject({ width: 1, height: 2048 });
  });

  test('the name and the type that somebody gave say nothing: a PNG called .jpg is read as what it is', async () => {
    const png = await quartered().png().toBuffer();
    expect(await picture(png, { ...WALLS, formats: ['image/png'] })).toMatchObject({ mimeType: 'image/png' });
  });
});

describe('what goes along and what does not', () => {
  test('alpha is kept where there is any, in a format that has it', async () => {
    const png = await withAlpha().png().toBuffer();
    expect((await picture(png)).mimeType).toBe('image/webp');
    expect((await picture(png, { ...WALLS, formats: ['image/jpeg', 'image/png'] })).mimeType).toBe(
      'image/png',
    );
    // Heavier than it is as JPEG: it has to be made.
    const opaque = await quartered().ensureAlpha().png({ compressionLevel: 0 }).toBuffer();
    expect((await picture(opaque)).mimeType).toBe('image/jpeg');
  });

  test('an endpoint that takes only JPEG gets alpha on white, not on black', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const rendered = await picture(await clear.png().toBuffer(), { ...WALLS, formats: ['image/jpeg'] });
    expect((await quartersOf(rendered))[0]).toEqual([255, 255, 255]);
  });

  test('where and with what a photo was taken stays here', async () => {
    const tagged = await quartered()
      .withExif({ IFD0: { Copyright: 'Ada', Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer();
    expect((await sharp(tagged).metadata()).exif).toBeDefined();
    const { bytes } = await picture(tagged);
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(Buffer.from(bytes).includes('Ada')).toBe(false);
  });

  test('a drawing brings nothing from elsewhere: no address is asked, no file is read', async () => {
    const peer = await listenOn(createServer((_request, response) => response.end()));
    try {
      const outside = [
        `<image href="${peer.url}/a.png" width="60" height="40"/>`,
        `<image xlink:href="${peer.url}/b.png" width="60" height="40"/>`,
        `<style>@import url("${peer.url}/c.css"); rect { fill: url("${peer.url}/d.svg#e") }</style>`,
        `<use href="${peer.url}/f.svg#g"/>`,
        `<image href="file://${import.meta.dirname}/dot.svg" width="60" height="40"/>`,
      ].join('');
      const drawn = await picture(
        svg(`${outside}<rect width="60" height="40" fill="white" fill-opacity="0"/>`),
      );
      const { channels } = await sharp(drawn.bytes).stats();
      expect(channels.at(-1)?.max).toBe(0);
      const entity = Buffer.from(
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]><svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><text y="20">&x;</text></svg>`,
      );
      await renderPicture({ bytes: entity, step: 0, walls: WALLS });
      expect(peer.connections).toBe(0);
    } finally {
      await peer.close();
    }
  });
});

describe('what cannot be shown is said in a sentence', () => {
  test('nothing at all', async () => {
    expect(await reasonOf(new Uint8Array())).toBe('The file is empty.');
  });

  test('a page that calls itself a picture', async () => {
    const page = Buffer.from('<!doctype html><html><body>Not here</body></html>');
    expect(await reasonOf(page)).toBe('The file is not a picture: its bytes are text/html.');
  });

  test('HEIC, which cannot be decoded here, is named', async () => {
    expect(await reasonOf(heicHead())).toBe(
      'Pictures of the type image/heic cannot be read here. Send it as JPEG or PNG.',
    );
  });

  test('a file that ends too early, in every format', async () => {
    const whole = await photo(200, 150).png().toBuffer();
    const files = await Promise.all([
      sharp(whole).jpeg().toBuffer(),
      sharp(whole).png().toBuffer(),
      sharp(whole).webp().toBuffer(),
      sharp(whole).avif({ effort: 0 }).toBuffer(),
      sharp(whole).gif().toBuffer(),
      sharp(whole).tiff().toBuffer(),
      bmp(),
    ]);
    for (const file of files)
      expect(await reasonOf(file.subarray(0, file.length / 2))).toMatch(/^The file is damaged/);
  });

  test('more pixels than memory is given for, before they are decoded', async () => {
    expect(await reasonOf(await pngBombHeader())).toMatch(/million/);
    expect(await reasonOf(svg('<rect width="9" height="9"/>', 'width="60000" height="60000"'))).toMatch(
      /million/,
    );
    const large = await bmp();
    large.writeInt32LE(60_000, 18);
    large.writeInt32LE(-60_000, 22);
    expect(await reasonOf(large)).toMatch(/million/);
  });

  test('400 million pixels in a few megabytes', async () => {
    const bomb = await flatBomb();
    expect(bomb.byteLength).toBeLessThan(20_000_000);
    const before = process.memoryUsage.rss();
    expect(await reasonOf(bomb)).toMatch(/100 million pixels/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  }, 60_000);

  test('walls that no picture fits', async () => {
    const png = await photo(300, 300).png().toBuffer();
    expect(await reasonOf(png, { ...WALLS, bytes: 100 })).toMatch(/100 bytes/);
    expect(await reasonOf(png, { ...WALLS, formats: [] })).toMatch(/no pictures in any format/);
  });
});

describe('within the walls of an endpoint', () => {
  test('the longer side and the bytes hold, whatever the picture', async () => {
    const large = await photo(1600, 1200).png().toBuffer();
    for (const walls of [
      { ...WALLS, side: 800 },
      { ...WALLS, bytes: 60_000 },
      { ...WALLS, side: 1000, bytes: 8_000 },
      { ...WALLS, bytes: 1_000 },
    ]) {
      const { width, height, bytes } = await picture(large, walls);
      expect(Math.max(width, height)).toBeLessThanOrEqual(walls.side);
      expect(bytes.byteLength).toBeLessThanOrEqual(walls.bytes);
    }
  });

  test('a small picture is not made larger', async () => {
    expect(await picture(await quartered().png().toBuffer())).toMatchObject({ width: WIDTH, height: HEIGHT });
  });

  test('the same job is the same bytes', async () => {
    const original = await photo(700, 500).jpeg().toBuffer();
    for (const step of [0, 3]) {
      const [one, two] = [await picture(original, WALLS, step), await picture(original, WALLS, step)];
      expect(Buffer.from(one.bytes).equals(two.bytes)).toBe(true);
    }
  });
});
