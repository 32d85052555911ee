import type { ArtifactKind } from '@plinth/protocol';
import type { IconName } from './icons.js';

/** What stands beside the name of a product of this kind. */
export function artifactIcon(kind: ArtifactKind): IconName {
  return kind === 'image' || kind === 'audio' ? kind : 'file';
}
