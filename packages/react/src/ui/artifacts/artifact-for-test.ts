import type { ArtifactView } from '@plinth/protocol';

/** For tests: an artifact with these fields. */
export function anArtifactView(fields: Partial<ArtifactView> = {}): ArtifactView {
  return {
    id: 'art_1',
    threadId: 'thr_1',
    runId: null,
    callId: null,
    kind: 'document',
    mimeType: 'text/markdown',
    title: 'plan.md',
    version: 1,
    sizeBytes: 10,
    sha256: 'x',
    open: 'auto',
    createdAt: '2030-01-01T10:00:00.000Z',
    ...fields,
  };
}
