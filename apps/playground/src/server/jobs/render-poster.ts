import sharp from 'sharp';
import { POSTER_PIXELS, type PosterValues } from './poster-values.js';
import { bold } from './styles/bold.js';
import { botanical } from './styles/botanical.js';
import { minimal } from './styles/minimal.js';
import type { DrawStyle } from './styles/poster-canvas.js';
import { retro } from './styles/retro.js';

const STYLES: Record<PosterValues['style'], DrawStyle> = { minimal, botanical, retro, bold };

/** All styles are drawn on this width; the picture is scaled to its pixels afterwards. */
const CANVAS_WIDTH = 1200;

/** Draws a poster and gives its PNG. The same values give the same picture on the same machine. */
export async function renderPoster(values: PosterValues): Promise<Buffer> {
  const { width, height } = POSTER_PIXELS[values.size];
  return sharp(Buffer.from(posterSvg(values)))
    .resize(width, height, { fit: 'fill' })
    .png({ compressionLevel: 8 })
    .toBuffer();
}

/** The poster as an SVG document of exactly the wanted size. */
export function posterSvg(values: PosterValues): string {
  const pixels = POSTER_PIXELS[values.size];
  const height = Math.round((CANVAS_WIDTH * pixels.height) / pixels.width);
  const drawing = STYLES[values.style](values, { width: CANVAS_WIDTH, height });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xml:lang="zh-Hans" width="${pixels.width}" height="${pixels.height}" ` +
    `viewBox="0 0 ${CANVAS_WIDTH} ${height}">${drawing}</svg>`
  );
}
