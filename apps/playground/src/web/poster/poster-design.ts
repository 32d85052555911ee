/** The styles, sizes and colours that Poster studio offers. */
export const POSTER_STYLES = ['minimal', 'botanical', 'retro', 'bold'] as const;
export type PosterStyle = (typeof POSTER_STYLES)[number];

export const POSTER_SIZES = ['A4', 'A3', 'square', 'story'] as const;
export type PosterSize = (typeof POSTER_SIZES)[number];

/** A pair of colours that goes together. */
export type Palette = { background: string; accent: string };

/** Pairs that suit a style; the first one is where a form starts. */
export const PALETTES: Record<PosterStyle, readonly [Palette, ...Palette[]]> = {
  minimal: [
    { background: '#f4f1ea', accent: '#d2452b' },
    { background: '#eef2f5', accent: '#1f5fa8' },
    { background: '#1d1f24', accent: '#f0b429' },
    { background: '#f6efe9', accent: '#7a4b8c' },
  ],
  botanical: [
    { background: '#e3ead6', accent: '#3f6b4a' },
    { background: '#f3e3d3', accent: '#9a4f2f' },
    { background: '#22392f', accent: '#c9a45c' },
    { background: '#e7e3f0', accent: '#5d4b86' },
  ],
  retro: [
    { background: '#f5dfb8', accent: '#d5532a' },
    { background: '#e9e4cf', accent: '#2b7a78' },
    { background: '#f7cbb4', accent: '#8e2f4f' },
    { background: '#f2d479', accent: '#3c4f8a' },
  ],
  bold: [
    { background: '#ffd23f', accent: '#2438c9' },
    { background: '#ff5d47', accent: '#14213d' },
    { background: '#b9f3d0', accent: '#e01e6a' },
    { background: '#17171b', accent: '#c6f432' },
  ],
};

/** True for a style that this page can draw; a tool's call may name anything. */
export function isPosterStyle(value: unknown): value is PosterStyle {
  return POSTER_STYLES.some((style) => style === value);
}

export function isPosterSize(value: unknown): value is PosterSize {
  return POSTER_SIZES.some((size) => size === value);
}
