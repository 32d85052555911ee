import type { ImageRef, ImageStep, ImageVariant } from '../images/image-ref.js';
import type { ContextCut } from './context-cut.js';
import { picturesOf, type Unit } from './conversation-units.js';
import type { EndpointProfile } from './endpoint-profile.js';
import { type KnownPictures, type PictureSize, sizeOf } from './known-pictures.js';

/** How one mention of a picture is shown. Pictures that nobody has made yet have a size, and cannot be sent. */
export type Shown =
  | {
      as: 'picture';
      image: ImageRef;
      unit: number;
      step: ImageStep;
      size: PictureSize;
      picture: SentPicture | null;
    }
  | { as: 'repeated' | 'removed' | 'rejected'; image: ImageRef; unit: number }
  | { as: 'unreadable'; image: ImageRef; unit: number; why: string };

export type ShownPicture = Extract<Shown, { as: 'picture' }>;

export interface SentPicture {
  variant: ImageVariant;
  url: string | null;
}

/**
 * Where each picture is sent: at the first place that still names it. A place behind it only says so. Sent at the newest
 * place instead, each new mention would change what stands before it, and the provider would have nothing cached.
 *
 * @returns by the number of the unit, in the order of its mentions
 */
export function placePictures(
  units: readonly Unit[],
  cut: ContextCut,
  known: KnownPictures,
  profile: EndpointProfile,
): Map<number, Shown[]> {
  const placed = new Map<number, Shown[]>();
  const sent = new Set<string>();
  for (const unit of units) {
    if (unit.index < cut.from || (unit.parts === null && unit.images.length === 0)) continue;
    const shown = picturesOf(unit).map((image) => {
      const one = show(image, unit.index, { cut, known, profile }, sent.has(image.sha256));
      if (one.as === 'picture') sent.add(image.sha256);
      return one;
    });
    placed.set(unit.index, shown);
  }
  return placed;
}

interface Means {
  cut: ContextCut;
  known: KnownPictures;
  profile: EndpointProfile;
}

function show(image: ImageRef, unit: number, { cut, known, profile }: Means, isSent: boolean): Shown {
  const rung = cut.images[image.sha256] ?? 0;
  if (rung === 'rejected') return { as: 'rejected', image, unit };
  if ((cut.removed[image.sha256] ?? 0) > unit) return { as: 'removed', image, unit };
  if (isSent) return { as: 'repeated', image, unit };
  const picture = known.get(image.sha256, rung);
  if (picture !== undefined && 'unreadable' in picture)
    return { as: 'unreadable', image, unit, why: picture.unreadable };
  const size = sizeOf(known, profile, image, rung);
  if (size === null) return { as: 'unreadable', image, unit, why: 'it cannot be made smaller' };
  return { as: 'picture', image, unit, step: rung, size, picture: picture ?? null };
}
