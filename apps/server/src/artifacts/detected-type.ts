import type { ArtifactKind } from '@plinth/protocol';

/** What bytes are. */
export interface DetectedType {
  kind: ArtifactKind;
  mimeType: string;
}

/** What the sender says of the bytes. Used only to tell kinds of text apart, never against the bytes. */
export interface TypeHints {
  name?: string | undefined;
  contentType?: string | undefined;
}
