import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { POSTER_PIXELS, type PosterValues } from './poster-values.js';
import { posterSvg, renderPoster } from './render-poster.js';

const STYLES = ['minimal', 'botanical', 'retro', 'bold'] as const;
const values: PosterValues = {
  style: 'minimal',
  headline: 'Autumn Tea Sale',
  subtitle: 'Grown with care',
  date: '9–11 October',
  size: 'A4',
  background: '#f5f2ec',
  accent: '#1f4d3a',
};

describe('a poster', () => {
  test.each(STYLES)('in style %s is a PNG of the size that was asked for', async (style) => {
    for (const size of ['square', 'story'] as const) {
      const metadata = await sharp(await renderPoster({ ...values, style, size })).metadata();
      expect(metadata).toMatchObject({ format: 'png', ...POSTER_PIXELS[size] });
    }
  });

  test('is another picture in every style', async () => {
    const pictures = await Promise.all(
      STYLES.map((style) => renderPoster({ ...values, style, size: 'square' })),
    );
    expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(4);
  });

  test.each([
    'Neighbourhood Library & Reading Garden of Everyone',
    '夏日音乐节暨城市公园露天电影放映周末特别活动',
    'M'.repeat(60),
  ])('leaves its margin free, whatever the headline: %s', async (headline) => {
    const { data, info } = await sharp(await renderPoster({ ...values, headline }))
      .extract({ left: 1124, top: 800, width: 60, height: 897 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const background = Buffer.alloc(info.width * info.height * info.channels, Buffer.from('f5f2ec', 'hex'));
    expect(data.equals(background)).toBe(true);
  });

  test.each(STYLES)('shows special characters as text in style %s', (style) => {
    const svg = posterSvg({ ...values, style, headline: '<script>"A"&\u0000B</script>' });
    expect(svg.toLowerCase()).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
  });

  test('without a subtitle is drawn as well', async () => {
    const { subtitle: _none, ...rest } = values;
    for (const style of STYLES)
      expect((await renderPoster({ ...rest, style, size: 'square' })).length).toBeGreaterThan(10_000);
  });
});
