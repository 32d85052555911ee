import type { ArtifactKind } from '@plinth/protocol';
import { detectArtifact } from './detect-artifact.js';
import { isText } from './detect-text.js';
import type { DetectedType, TypeHints } from './detected-type.js';

/** Kinds whose bytes are text, unless a program's own format says otherwise (a Word document is a `document`). */
const TEXT_KINDS: ReadonlySet<ArtifactKind> = new Set(['code', 'document', 'table', 'html']);

/** Whether people and models may edit it as a text. */
export function isTextArtifact({ kind, mimeType }: DetectedType): boolean {
  return TEXT_KINDS.has(kind) && /^(text\/|application\/(json|xml)$)/.test(mimeType);
}

/**
 * What a new version of an artifact is; null when it cannot be one. A kind is for ever: editors, tables of contents and
 * tools rely on it. A text stays the type that it was, whatever an editor has left of it meanwhile: half a JSON is still
 * the JSON that somebody works on, and Markdown that begins with a tag does not become a page.
 */
export async function nextType(
  current: DetectedType,
  bytes: Uint8Array,
  hints: TypeHints,
): Promise<DetectedType | null> {
  if (isTextArtifact(current)) return isText(bytes) ? current : null;
  const found = await detectArtifact(bytes, hints);
  return found.kind === current.kind ? found : null;
}
