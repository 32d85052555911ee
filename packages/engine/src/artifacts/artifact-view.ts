import type { ArtifactId, ArtifactView, OpenPolicy } from '@plinth/protocol';
import { toIso } from '../clock.js';
import type { Artifact, Run, StoredFile, ToolCall } from '../runs/run.js';

/** An artifact as clients see it: without the storage key. */
export function toArtifactView(artifact: Artifact): ArtifactView {
  return {
    id: artifact.id,
    threadId: artifact.threadId,
    runId: artifact.runId,
    callId: artifact.callId,
    kind: artifact.kind,
    mimeType: artifact.mimeType,
    title: artifact.title,
    version: artifact.version,
    sizeBytes: artifact.sizeBytes,
    sha256: artifact.sha256,
    open: artifact.open,
    createdAt: toIso(artifact.createdAt),
  };
}

/** The row for a file that a tool call produced. */
export function artifactOf(
  file: StoredFile,
  of: { id: ArtifactId; run: Run; call: ToolCall; open: OpenPolicy; now: number },
): Artifact {
  return {
    id: of.id,
    threadId: of.run.threadId,
    endUserId: of.run.endUserId,
    runId: of.run.id,
    callId: of.call.id,
    kind: file.kind,
    mimeType: file.mimeType,
    title: file.title,
    version: 1,
    storageKey: file.storageKey,
    sizeBytes: file.sizeBytes,
    sha256: file.sha256,
    open: of.open,
    createdAt: of.now,
  };
}
