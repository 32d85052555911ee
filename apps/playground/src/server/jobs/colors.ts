type Rgb = [number, number, number];

const DARK = '#1b1b1f';
const LIGHT = '#fffdf7';
const READABLE_CONTRAST = 3;

/** `share` of `b` in `a`: 0 gives `a`, 1 gives `b`. */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [rgbOf(a), rgbOf(b)];
  return hexOf(from.map((value, index) => value + ((to[index] ?? 0) - value) * share) as Rgb);
}

/** Near-black or near-white, whichever reads better on the background. */
export function inkOn(background: string): string {
  return contrast(DARK, background) >= contrast(LIGHT, background) ? DARK : LIGHT;
}

/** The colour itself, or as little darkened or lightened as makes it readable on the background. */
export function readableOn(background: string, color: string): string {
  const ink = inkOn(background);
  for (let share = 0; share < 1; share += 0.1) {
    const candidate = mix(color, ink, share);
    if (contrast(candidate, background) >= READABLE_CONTRAST) return candidate;
  }
  return ink;
}

/** The same colour with its hue turned by so many degrees. Greys stay grey. */
export function turnHue(color: string, degrees: number): string {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [red, green, blue] = rgbOf(color);
  // The luminance-preserving rotation of the SVG `hueRotate` filter.
  return hexOf([
    red * (0.213 + cos * 0.787 - sin * 0.213) +
      green * (0.715 - cos * 0.715 - sin * 0.715) +
      blue * (0.072 - cos * 0.072 + sin * 0.928),
    red * (0.213 - cos * 0.213 + sin * 0.143) +
      green * (0.715 + cos * 0.285 + sin * 0.14) +
      blue * (0.072 - cos * 0.072 - sin * 0.283),
    red * (0.213 - cos * 0.213 - sin * 0.787) +
      green * (0.715 - cos * 0.715 + sin * 0.715) +
      blue * (0.072 + cos * 0.928 + sin * 0.072),
  ]);
}

/** Contrast ratio of two colours as WCAG defines it, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function hexOf(rgb: Rgb): string {
  const parts = rgb.map((value) =>
    Math.max(0, Math.min(255, Math.round(value)))
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`;
}
