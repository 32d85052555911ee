import type { ArtifactStore, StoredFile } from '@plinth/engine';
import type { ComfyUiExecutorSpec, JsonObject, TenantId } from '@plinth/protocol';
import { detectArtifact } from '../../artifacts/detect-artifact.js';
import { failedJob, type JobOutcome } from '../jobs/remote-job.js';
import type { ComfyUiHost } from './comfyui-host.js';
import type { HistoryEntry } from './host-answers.js';
import { FileTooLarge } from './read-bytes.js';
import { readOutcome } from './read-outcome.js';

/** Bytes of one file, and of all files of a call. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

export interface CollectPorts {
  tenant: TenantId;
  host: ComfyUiHost;
  store: ArtifactStore;
  /** The seed that was used; null when the tool sets none. */
  seed: number | null;
  signal: AbortSignal;
}

/**
 * Fetches what an ended prompt produced into the artifact store. Done again it stores the same bytes once.
 *
 * @throws HostProblem when the host went away in between: the files may still be there later
 */
export async function collectOutputs(
  spec: ComfyUiExecutorSpec,
  entry: HistoryEntry,
  { tenant, host, store, seed, signal }: CollectPorts,
): Promise<JobOutcome> {
  const outcome = readOutcome(spec, entry);
  if (!outcome.ok) return outcome;
  const files: StoredFile[] = [];
  for (const { file, title } of outcome.files) {
    const bytes = await host.download(file, MAX_FILE_BYTES, signal).catch((error: unknown) => {
      if (error instanceof FileTooLarge) return error;
      throw error;
    });
    if (bytes instanceof FileTooLarge)
      return failedJob(
        'output_too_large',
        `The workflow made the file ${file.filename}, which is ${bytes.message}.`,
      );
    if (bytes === null || bytes.length === 0)
      return failedJob(
        'output_missing',
        `The workflow ran and made the file ${file.filename}, but the host does not have it any more.`,
      );
    const { kind, mimeType } = await detectArtifact(bytes, { name: file.filename });
    files.push({ title, kind, mimeType, ...(await store.put(tenant, bytes)) });
  }
  const result: JsonObject = { files: files.map(({ title, kind }) => `${kind}: ${title}`) };
  if (Object.keys(outcome.texts).length > 0) result.text = outcome.texts;
  if (seed !== null) result.seed = seed;
  return { ok: true, result, files };
}
