import { useMemo } from 'react';
import { bold } from '../../server/jobs/styles/bold.js';
import { botanical } from '../../server/jobs/styles/botanical.js';
import { minimal } from '../../server/jobs/styles/minimal.js';
import type { DrawStyle } from '../../server/jobs/styles/poster-canvas.js';
import { retro } from '../../server/jobs/styles/retro.js';
import type { PosterSize, PosterStyle } from './poster-design.js';

/** What a preview shows. A word that is missing yet is left out of the picture. */
export type PosterDesign = {
  style: PosterStyle;
  size: PosterSize;
  headline: string;
  subtitle: string;
  date: string;
  background: string;
  accent: string;
};

const DRAW: Record<PosterStyle, DrawStyle> = { minimal, botanical, retro, bold };

const WIDTH = 1200;
const HEIGHT: Record<PosterSize, number> = { A4: 1697, A3: 1697, square: 1200, story: 2133 };

/**
 * The poster as the drawing service will draw it: the same pure functions, as SVG. It is shown through
 * <img>, where nothing inside an SVG can run or load.
 */
export function PosterPicture({ design, alt }: { design: PosterDesign; alt: string }) {
  const { style, size, headline, subtitle, date, background, accent } = design;
  const source = useMemo(
    () => pictureUrl({ style, size, headline, subtitle, date, background, accent }),
    [style, size, headline, subtitle, date, background, accent],
  );
  return (
    <img
      className="poster-picture"
      src={source}
      alt={alt}
      width={WIDTH}
      height={HEIGHT[size]}
      draggable={false}
    />
  );
}

function pictureUrl(design: PosterDesign): string {
  const height = HEIGHT[design.size];
  const drawing = DRAW[design.style](design, { width: WIDTH, height });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xml:lang="zh-Hans" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">${drawing}</svg>`;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
