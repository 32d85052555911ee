import type { ArtifactId, ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import { artifactOf } from '../artifacts/artifact-view.js';
import type { ImageRef } from '../images/image-ref.js';
import type { Artifact, KeptResult, Run, StoredFile, ToolCall } from '../runs/run.js';
import type { ResultNotes } from './result-text.js';

interface ResultOf {
  run: Run;
  call: ToolCall;
  /** Undefined when the agent no longer says what the tool is. */
  tool: ToolDefinition | undefined;
  now: number;
  nextArtifactId: () => ArtifactId;
}

/** The rows of what a call produced. */
export function productsOf(files: readonly StoredFile[], of: ResultOf): Artifact[] {
  const open = of.tool?.result.open ?? 'auto';
  return files.map((file) => artifactOf(file, { ...of, id: of.nextArtifactId(), open }));
}

/**
 * What is to be said of a result, with the row of the full one. Nobody asked for one that was kept because of a cut: it
 * does not open by itself.
 */
export function notesOf(
  kept: KeptResult,
  reader: string | null,
  of: ResultOf,
  images: ImageRef[],
): ResultNotes {
  const { summary, cut, full } = kept;
  const open = of.tool?.result.artifact === 'always' ? of.tool.result.open : 'silent';
  const artifact = full && artifactOf(full, { ...of, id: of.nextArtifactId(), open });
  return { summary, cut, full: artifact, reader, images };
}

/** What the model sees of what a call produced: its pictures, where the tool's definition says so. */
export function shownOf(products: readonly Artifact[], tool: ToolDefinition | undefined): ImageRef[] {
  if (tool?.result.images !== 'show') return [];
  return products
    .filter(({ kind }) => kind === 'image')
    .map(({ sha256, storageKey, id, title, mimeType, sizeBytes }) => ({
      sha256,
      storageKey,
      artifactId: id,
      title,
      mimeType,
      sizeBytes,
    }));
}

/** Key of the agent's tool that reads artifacts; null when it has none. */
export function artifactReader({ tools }: AgentVersion): string | null {
  const isReader = ({ executor }: ToolDefinition) =>
    executor.kind === 'builtin' && executor.name === 'get_artifact';
  return tools.find(isReader)?.key ?? null;
}
