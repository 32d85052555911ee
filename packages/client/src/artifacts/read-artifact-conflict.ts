import type { ArtifactView } from '@plinth/protocol';
import { PlinthClientError } from '../errors/plinth-client-error.js';

/** What stands in the way of a save: the version that somebody else has made meanwhile. Read it, merge, and save on it. */
export type ArtifactConflict = { newest: ArtifactView };

/** The conflict that a refused `saveArtifact` tells of; null for any other error. */
export function readArtifactConflict(error: unknown): ArtifactConflict | null {
  if (!PlinthClientError.isInstance(error) || error.code !== 'artifact_revision_conflict') return null;
  const { artifact } = error.facts;
  return isArtifact(artifact) ? { newest: artifact } : null;
}

function isArtifact(value: unknown): value is ArtifactView {
  if (typeof value !== 'object' || value === null) return false;
  const { id, version } = value as Partial<ArtifactView>;
  return typeof id === 'string' && typeof version === 'number';
}
