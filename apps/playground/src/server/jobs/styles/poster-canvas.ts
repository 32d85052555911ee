import type { PosterValues } from '../poster-values.js';

export type Canvas = { width: number; height: number };

/** Draws one style: SVG elements that fill the canvas. A pure function. */
export type DrawStyle = (values: PosterValues, canvas: Canvas) => string;

/** A rectangle over the whole canvas. */
export function fillCanvas({ width, height }: Canvas, fill: string): string {
  return `<rect width="${width}" height="${height}" fill="${fill}"/>`;
}

/** Point on a circle around a centre, 0 degrees pointing right, clockwise. */
export function pointOnCircle(
  x: number,
  y: number,
  radius: number,
  degrees: number,
): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180;
  return { x: x + radius * Math.cos(radians), y: y + radius * Math.sin(radians) };
}
