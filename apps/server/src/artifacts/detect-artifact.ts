import type { ArtifactKind } from '@plinth/protocol';
import { fileTypeFromBuffer } from 'file-type';
import { detectText } from './detect-text.js';
import type { DetectedType, TypeHints } from './detected-type.js';

const KIND_BY_MIME: Record<string, ArtifactKind> = {
  'application/pdf': 'pdf',
  'application/msword': 'document',
  'application/rtf': 'document',
  'application/epub+zip': 'document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document',
  'application/vnd.oasis.opendocument.text': 'document',
  'application/vnd.oasis.opendocument.presentation': 'document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'table',
  'application/vnd.oasis.opendocument.spreadsheet': 'table',
  'application/vnd.apache.parquet': 'table',
  'text/vcard': 'document',
  'text/calendar': 'document',
  // The container formats of these two names carry sound or pictures; the usual content decides.
  'application/ogg': 'audio',
  'application/mxf': 'video',
};
/** SVG and XHTML begin like any XML; only a look at the text tells them apart. */
const XML = 'application/xml';
const UNKNOWN: DetectedType = { kind: 'file', mimeType: 'application/octet-stream' };

/**
 * What bytes are, by the bytes: magic numbers first, then a look at text. A picture that says it is HTML
 * stays a picture, and HTML that says it is a picture is HTML.
 */
export async function detectArtifact(bytes: Uint8Array, hints: TypeHints = {}): Promise<DetectedType> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found !== undefined && found.mime !== XML) return { kind: kindOf(found.mime), mimeType: found.mime };
  return detectText(bytes, hints) ?? UNKNOWN;
}

function kindOf(mimeType: string): ArtifactKind {
  const known = KIND_BY_MIME[mimeType];
  if (known !== undefined) return known;
  const family = mimeType.split('/')[0];
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}
