import type { ImageVariant } from '../images/image-ref.js';

/** What an endpoint takes in one request: its walls. Where a number comes from is written beside it. */
export interface EndpointProfile {
  /** Names the profile in reasons and logs. */
  name: string;
  /** Tokens of input and output together. */
  windowTokens: number;
  /** Tokens of input alone; null where only the window counts. */
  inputTokens: number | null;
  /** Bytes of the body. */
  bodyBytes: number;
  maxImages: number;
  /** Bytes of one picture, before base64. */
  imageBytes: number;
  /** Bytes of all pictures together, as they stand in the body; null where nobody counts them. */
  imagesTotalBytes: number | null;
  /** Pixels of the longer side. */
  imageSide: number;
  imageFormats: readonly ImageVariant['mimeType'][];
  imageDelivery: 'inline' | 'url';
  /** Tokens of a picture: an upper bound. */
  imageTokens(width: number, height: number): number;
}
