import type { ImageVariant } from '@plinth/engine';

/** A picture as a model gets it, before it is stored. */
export interface RenderedPicture {
  kind: 'picture';
  bytes: Uint8Array;
  mimeType: ImageVariant['mimeType'];
  width: number;
  height: number;
}
