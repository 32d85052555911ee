import { z } from 'zod';

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f4d3a');

/** Width and height of the picture in pixels. */
export const POSTER_PIXELS = {
  A4: { width: 1200, height: 1697 },
  A3: { width: 1400, height: 1980 },
  square: { width: 1200, height: 1200 },
  story: { width: 1080, height: 1920 },
} as const;

/** What a poster is drawn from. */
export const posterValues = z.object({
  style: z.enum(['minimal', 'botanical', 'retro', 'bold']),
  headline: z.string().trim().min(1).max(200),
  subtitle: z.string().trim().max(200).optional(),
  date: z.string().trim().min(1).max(100),
  size: z.enum(['A4', 'A3', 'square', 'story']),
  background: color,
  accent: color,
});
export type PosterValues = z.infer<typeof posterValues>;
