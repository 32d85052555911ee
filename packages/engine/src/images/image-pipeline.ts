import type { TenantId } from '@plinth/protocol';
import type { ImageRef, ImageStep, ImageVariant, UnreadableImage } from './image-ref.js';

/** What an endpoint takes as a picture. Belongs to the name of a variant: two endpoints may want different ones. */
export interface ImageWalls {
  /** Pixels of the longer side. */
  side: number;
  /** Bytes of one picture, before base64. */
  bytes: number;
  formats: readonly ImageVariant['mimeType'][];
}

/** Makes pictures into what a model takes. Each variant is made once, and kept. */
export interface ImagePipeline {
  /**
   * The variant on that rung within those walls. Step 0 is the largest that the walls allow.
   *
   * @throws the signal's reason when aborted; Error when the store has lost the original
   */
  variant(
    tenant: TenantId,
    image: ImageRef,
    step: ImageStep,
    walls: ImageWalls,
    signal: AbortSignal,
  ): Promise<ImageVariant | UnreadableImage>;
  /** The variant's bytes. */
  bytes(tenant: TenantId, variant: ImageVariant): Promise<Uint8Array>;
  /** An address that the endpoint can fetch it from: the same bytes until shortly before it expires. */
  url(tenant: TenantId, variant: ImageVariant): string;
}
