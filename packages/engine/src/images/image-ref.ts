import type { ArtifactId } from '@plinth/protocol';

/** A picture as the ledger names it: by the hash of its bytes. It is a JSON value, and stays as it was written. */
export interface ImageRef {
  sha256: string;
  /** Where its original bytes are. */
  storageKey: string;
  artifactId: ArtifactId;
  title: string;
  mimeType: string;
  sizeBytes: number;
}

/**
 * One rung of the ladder that pictures are made smaller on. Which rungs there are is a constant: the same picture on the same
 * rung is always the same bytes, in every process.
 */
export type ImageStep = number;

/** A picture as a model gets it. */
export interface ImageVariant {
  sha256: string;
  step: ImageStep;
  mimeType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';
  width: number;
  height: number;
  sizeBytes: number;
  storageKey: string;
}

/** Why a picture cannot be shown to any model, as a clear text. */
export interface UnreadableImage {
  sha256: string;
  unreadable: string;
}
