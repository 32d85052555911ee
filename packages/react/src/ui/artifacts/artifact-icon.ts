import type { ArtifactKind } from '@plinth/protocol';
import type { IconName } from '../icons.js';

const OF_KIND: Record<ArtifactKind, IconName> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  code: 'code',
  html: 'code',
  table: 'table',
  document: 'file',
  pdf: 'file',
  file: 'file',
};

/** What stands beside the name of a product of this kind. */
export function artifactIcon(kind: ArtifactKind): IconName {
  return OF_KIND[kind];
}
