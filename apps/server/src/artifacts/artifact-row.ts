import {
  type ArtifactAuthor,
  type ArtifactVersionView,
  type ArtifactView,
  artifactKind,
  openPolicy,
} from '@plinth/protocol';
import type { Artifact, ArtifactVersion } from '../generated/prisma/client.js';

/** An artifact as clients see it, in its newest version or in the one that is given. */
export function toArtifactView(row: Artifact, version: ArtifactVersion | Artifact = row): ArtifactView {
  return {
    id: row.id,
    threadId: row.threadId,
    runId: row.runId,
    callId: row.callId,
    kind: artifactKind.parse(version.kind),
    mimeType: version.mimeType,
    title: version.title,
    version: version.version,
    sizeBytes: version.sizeBytes,
    sha256: version.sha256,
    open: openPolicy.parse(row.open),
    createdAt: row.createdAt.toISOString(),
  };
}

export function toVersionView(row: ArtifactVersion): ArtifactVersionView {
  return {
    artifactId: row.artifactId,
    version: row.version,
    kind: artifactKind.parse(row.kind),
    mimeType: row.mimeType,
    title: row.title,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    author: authorOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** Who made a version, from its columns. */
export function authorOf({
  authorKind,
  authorId,
  runId,
  callId,
}: Pick<ArtifactVersion, 'authorKind' | 'authorId' | 'runId' | 'callId'>): ArtifactAuthor {
  if (authorKind === 'model') return { kind: 'model', runId, callId };
  return { kind: authorKind === 'api_key' ? 'api_key' : 'end_user', id: authorId ?? '' };
}

/** The columns that say who made a version. */
export function authorColumns(
  author: ArtifactAuthor,
): Record<'author_kind' | 'author_id' | 'run_id' | 'call_id', string | null> {
  const isModel = author.kind === 'model';
  return {
    author_kind: author.kind,
    author_id: isModel ? null : author.id,
    run_id: isModel ? author.runId : null,
    call_id: isModel ? author.callId : null,
  };
}
