import type { ContextCut } from './context-cut.js';

/** What a request may lose that the one before it had. */
export const CUT_KINDS = [
  'results_cleared',
  'texts_shortened',
  'summarised',
  'dropped',
  'images_lowered',
  'images_removed',
  'images_rejected',
] as const;
export type CutKind = (typeof CUT_KINDS)[number];

/** A rung as a number; what was rejected is below all of them. */
const depthOf = (rung: ContextCut['images'][string] | undefined): number =>
  rung === 'rejected' ? Number.POSITIVE_INFINITY : (rung ?? 0);

/** Which kinds of loss the second cut has beyond the first, each once, however much it is. */
export function cutKinds(before: ContextCut, after: ContextCut): CutKind[] {
  const kinds = new Set<CutKind>();
  if (after.clearedBefore > before.clearedBefore) kinds.add('results_cleared');
  if (after.shortened !== null && JSON.stringify(after.shortened) !== JSON.stringify(before.shortened))
    kinds.add('texts_shortened');
  if (after.from > before.from)
    kinds.add(after.summary !== null && after.summary !== before.summary ? 'summarised' : 'dropped');
  for (const [sha256, rung] of Object.entries(after.images))
    if (depthOf(rung) > depthOf(before.images[sha256]))
      kinds.add(rung === 'rejected' ? 'images_rejected' : 'images_lowered');
  for (const [sha256, until] of Object.entries(after.removed))
    if (until > (before.removed[sha256] ?? 0)) kinds.add('images_removed');
  return [...kinds];
}
