import type { ArtifactStore, ToolInvocation, ToolOutcome } from '@plinth/engine';
import { PlinthError, type RunId, type TenantId } from '@plinth/protocol';
import type { ArtifactVersions } from '../../artifacts/artifact-versions.js';
import { isTextArtifact } from '../../artifacts/next-type.js';
import type { FoundArtifact, RunArtifacts } from '../../artifacts/run-artifacts.js';

export interface DocumentPorts {
  artifacts: Pick<RunArtifacts, 'find' | 'storageKey'>;
  versions: Pick<ArtifactVersions, 'save'>;
  store: Pick<ArtifactStore, 'get' | 'put'>;
}

const MIB = 1024 * 1024;
/** Bytes of a document that a model writes or edits: what a person still works on in an editor. */
const MOST_BYTES = 4 * MIB;

export const failed = (code: string, message: string): ToolOutcome => ({
  kind: 'failed',
  error: { code, message },
});

/** The document of a call; an outcome when it cannot be changed. */
export async function findDocument(
  { artifacts }: DocumentPorts,
  tenant: TenantId,
  runId: string,
  id: string,
): Promise<{ document: FoundArtifact } | { refused: ToolOutcome }> {
  const found = await artifacts.find(tenant, runId as RunId, id);
  if (found === null) {
    const message = `There is no artifact ${JSON.stringify(id)} in this conversation. Use an id that a result of it names.`;
    return { refused: failed('artifact_not_found', message) };
  }
  if (!isTextArtifact(found)) {
    const message = `${found.title} is of kind ${found.kind} (${found.mimeType}): only texts can be written.`;
    return { refused: failed('not_a_text', message) };
  }
  if (found.sizeBytes > MOST_BYTES) return { refused: tooLarge(found.sizeBytes) };
  return { document: found };
}

/** Bytes of a text, or an outcome when it is too long or cannot be kept as it is. */
export function bytesOf(content: string): { bytes: Uint8Array } | { refused: ToolOutcome } {
  const bytes = new TextEncoder().encode(content);
  return bytes.byteLength > MOST_BYTES ? { refused: tooLarge(bytes.byteLength) } : { bytes };
}

function tooLarge(sizeBytes: number): ToolOutcome {
  return failed(
    'artifact_too_large',
    `It has ${sizeBytes} bytes; documents of ${MOST_BYTES} at most are written.`,
  );
}

/** Nobody overwrites what they have not seen: what the model is told when its version is not the newest. */
export function conflictOf(
  { id, version, authorKind }: Pick<FoundArtifact, 'id' | 'version' | 'authorKind'>,
  baseVersion: number,
): ToolOutcome {
  const who = authorKind === 'end_user' ? 'The user has changed it' : 'It was changed';
  return failed(
    'document_changed',
    `${who} meanwhile: version ${version} is the newest, you know ${baseVersion}. Nothing was written. Read ${id} first, keep what was changed, and call again with baseVersion ${version}.`,
  );
}

/** Makes the next version for a call, which finds its own when it is carried out again. */
export async function saveVersion(
  { versions }: DocumentPorts,
  tenant: TenantId,
  { callId, runId }: Pick<ToolInvocation, 'callId' | 'runId'>,
  { id, endUserId, runThreadId }: FoundArtifact,
  { baseVersion, bytes }: { baseVersion: number; bytes: Uint8Array },
): Promise<ToolOutcome> {
  try {
    const author = { kind: 'model' as const, runId, callId };
    const change = { artifactId: id, baseVersion, bytes, author, alsoIn: runThreadId };
    const outcome = await versions.save(tenant, { endUserId }, change);
    if (outcome.kind === 'conflict') {
      const { artifact, author: by } = outcome.newest;
      return conflictOf({ id, version: artifact.version, authorKind: by.kind }, baseVersion);
    }
    const { title, version, sizeBytes } = outcome.artifact;
    const value = { id, title, version, sizeBytes, summary: `${title}: version ${version}` };
    return { kind: 'succeeded', value, files: [] };
  } catch (error) {
    if (!PlinthError.isInstance(error) || error.code !== 'artifact_kind_mismatch') throw error;
    return failed('not_a_text', 'It holds control characters: only texts can be written.');
  }
}
