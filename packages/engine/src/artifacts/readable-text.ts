import type { ArtifactKind } from '@plinth/protocol';

const READ_AS_TEXT = /^(text\/|application\/(json|xml|javascript|yaml|toml)|[^;]*\+(json|xml)\b)/;

/** Whether the bytes of an artifact can be read as text, a part at a time. A picture cannot, even one that is XML. */
export function isReadableText({ kind, mimeType }: { kind: ArtifactKind; mimeType: string }): boolean {
  return kind !== 'image' && READ_AS_TEXT.test(mimeType);
}
