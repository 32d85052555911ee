import { describe, expect, it } from 'vitest';
import { type ContextCut, NO_CUT } from './context-cut.js';
import { type CutKind, cutKinds } from './cut-kinds.js';

const BEFORE: ContextCut = {
  ...NO_CUT,
  from: 4,
  summary: 'Tea.',
  clearedBefore: 6,
  shortened: { before: 6, to: 20_000 },
  images: { poster: 2, refused: 'rejected' },
  removed: { old: 3 },
};

const LOSSES: [CutKind[], Partial<ContextCut>][] = [
  [[], {}],
  [['results_cleared'], { clearedBefore: 7 }],
  [['texts_shortened'], { shortened: { before: 6, to: 2_000 } }],
  [['summarised'], { from: 6, summary: 'Tea and trains.' }],
  [['dropped'], { from: 6 }],
  [['dropped'], { from: 6, summary: null }],
  [['images_lowered'], { images: { ...BEFORE.images, poster: 3 } }],
  [['images_lowered'], { images: { ...BEFORE.images, photo: 1 } }],
  [['images_rejected'], { images: { ...BEFORE.images, poster: 'rejected' } }],
  [['images_removed'], { removed: { old: 3, poster: 5 } }],
  [['images_removed'], { removed: { old: 5 } }],
  [[], { images: {}, removed: {}, learned: { maxImages: 1 }, walls: { image_removed: 'bytes' } }],
  [['results_cleared', 'summarised'], { from: 6, clearedBefore: 8, summary: 'All.' }],
];

describe('what a request loses beyond the one before it', () => {
  it.each(LOSSES)('%j', (kinds, change) => {
    expect(cutKinds(BEFORE, { ...BEFORE, ...change })).toEqual(kinds);
  });
});
