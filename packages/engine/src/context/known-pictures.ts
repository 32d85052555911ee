import { IMAGE_LADDER } from '../images/image-ladder.js';
import type { ImageRef, ImageStep, ImageVariant, UnreadableImage } from '../images/image-ref.js';
import type { EndpointProfile } from './endpoint-profile.js';

/** A picture on one rung, as far as it is known. `url`: where the endpoint fetches it; null when it is in the body. */
export type KnownPicture = { variant: ImageVariant; url: string | null } | UnreadableImage;

/** What is known of pictures, by hash and rung. */
export class KnownPictures {
  private readonly pictures = new Map<string, KnownPicture>();

  add(sha256: string, step: ImageStep, picture: KnownPicture): void {
    this.pictures.set(`${sha256}:${step}`, picture);
  }

  clear(): void {
    this.pictures.clear();
  }

  get(sha256: string, step: ImageStep): KnownPicture | undefined {
    return this.pictures.get(`${sha256}:${step}`);
  }
}

/** What a picture costs on a rung: bytes and pixels. `isGuess`: nobody has made it yet. */
export interface PictureSize {
  width: number;
  height: number;
  sizeBytes: number;
  isGuess: boolean;
}

/**
 * The size on a rung; where it is not known, from the next larger one that is: a rung has about half the bytes of the one
 * before it. Null: nobody can show it.
 */
export function sizeOf(
  known: KnownPictures,
  profile: EndpointProfile,
  image: ImageRef,
  step: ImageStep,
): PictureSize | null {
  for (let rung = step; rung >= 0; rung -= 1) {
    const picture = known.get(image.sha256, rung);
    if (picture === undefined) continue;
    if ('unreadable' in picture) return null;
    const { width, height, sizeBytes } = picture.variant;
    if (rung === step) return { width, height, sizeBytes, isGuess: false };
    const side = Math.min(IMAGE_LADDER[step]?.side ?? width, Math.max(width, height));
    const scale = side / Math.max(width, height);
    return {
      width: Math.ceil(width * scale),
      height: Math.ceil(height * scale),
      sizeBytes: Math.ceil(sizeBytes / 2 ** (step - rung)),
      isGuess: true,
    };
  }
  const side = Math.min(profile.imageSide, IMAGE_LADDER[step]?.side ?? profile.imageSide);
  const sizeBytes = Math.ceil(Math.min(image.sizeBytes, profile.imageBytes) / 2 ** step);
  return { width: side, height: side, sizeBytes, isGuess: true };
}
