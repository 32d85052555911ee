import {
  type ArtifactStore,
  isReadableText,
  readPart,
  type ToolExecutor,
  type ToolInvocation,
  type ToolOutcome,
} from '@plinth/engine';
import type { ArtifactId, JsonObject, RunId, TenantId } from '@plinth/protocol';
import { z } from 'zod';
import { changedSince, type FoundArtifact, type RunArtifacts } from '../../artifacts/run-artifacts.js';
import { fieldErrorsOf, sentenceOf } from '../../tenants/field-errors.js';

const MIB = 1024 * 1024;
/** Bytes of an artifact up to which parts of it are read: what a callback may bring. */
const MOST_BYTES = 32 * MIB;

const given = z.object({
  id: z.string().min(1).max(100),
  query: z.string().max(1000).optional(),
  page: z.number().int().min(1).optional(),
  range: z.object({ from: z.number().int().min(0), to: z.number().int().min(1).optional() }).optional(),
});

/** The builtin `get_artifact`: a bounded part of an artifact of the run's conversation. */
export class GetArtifactExecutor implements ToolExecutor {
  constructor(
    private readonly artifacts: Pick<RunArtifacts, 'find'>,
    private readonly store: Pick<ArtifactStore, 'get'>,
  ) {}

  async execute(tenant: TenantId, { runId, tool, ...call }: ToolInvocation): Promise<ToolOutcome> {
    const parsed = given.safeParse(call.arguments);
    // The definition's own schema may be looser than what is understood here.
    if (!parsed.success) return failed('invalid_arguments', `${sentenceOf(fieldErrorsOf(parsed.error))}.`);
    const { id, ...request } = parsed.data;
    const found = await this.artifacts.find(tenant, runId as RunId, id);
    if (found === null)
      return failed(
        'artifact_not_found',
        `There is no artifact ${JSON.stringify(id)} in this conversation. Use an id that a result of it names.`,
      );
    if (found.kind === 'image') return shown(id as ArtifactId, found);
    if (!isReadableText(found)) return succeeded(id, found, { note: referenceNote(found) });
    if (found.sizeBytes > MOST_BYTES)
      return failed(
        'artifact_too_large',
        `It has ${found.sizeBytes} bytes; parts are read of ${MOST_BYTES} at most.`,
      );
    const text = new TextDecoder().decode(await this.store.get(tenant, found.storageKey));
    const read = readPart(text, request, tool.result.maxTokens);
    return read.ok ? succeeded(id, found, read.part) : { kind: 'failed', error: read.error };
  }
}

function referenceNote({ kind }: FoundArtifact): string {
  const what = kind === 'file' ? 'a file' : `a ${kind} file`;
  return `This is ${what}, which cannot be read as text. The user can see it beside the chat; refer to it by its title.`;
}

/** The model sees a picture itself. What it cannot see for some reason is said where the picture would be. */
function shown(artifactId: ArtifactId, found: FoundArtifact): ToolOutcome {
  const { title, mimeType, sizeBytes, storageKey, sha256 } = found;
  const note =
    'The picture stands behind the results of this turn. The user can see it beside the chat; refer to it by its title.';
  return {
    ...succeeded(artifactId, found, { note }),
    shows: [{ sha256, storageKey, artifactId, title, mimeType, sizeBytes }],
  };
}

type Succeeded = Extract<ToolOutcome, { kind: 'succeeded' }>;

function succeeded(id: string, found: FoundArtifact, part: JsonObject): Succeeded {
  const { title, kind, mimeType, sizeBytes, version } = found;
  const changed = changedSince(found);
  const about = { id, title, kind, mimeType, sizeBytes, version, ...(changed === null ? {} : { changed }) };
  return { kind: 'succeeded', value: { ...about, ...part }, files: [] };
}

const failed = (code: string, message: string): ToolOutcome => ({ kind: 'failed', error: { code, message } });
