import type { ArtifactView } from '@plinth/protocol';
import { replaceAt } from './immutable-list.js';

/** Adds an artifact, or replaces an older version of it. */
export function putArtifact(artifacts: ArtifactView[], artifact: ArtifactView): ArtifactView[] {
  const index = artifacts.findIndex((other) => other.id === artifact.id);
  const existing = artifacts[index];
  if (!existing) return [...artifacts, artifact];
  return existing.version > artifact.version ? artifacts : replaceAt(artifacts, index, artifact);
}
