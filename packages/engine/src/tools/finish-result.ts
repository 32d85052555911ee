import type { JsonValue, RunError, TenantId, ToolDefinition } from '@plinth/protocol';
import type { ArtifactStore } from '../artifacts/artifact-store.js';
import type { KeptResult, StoredFile } from '../runs/run.js';
import { outputProblem } from './check-output.js';
import { shapeValue } from './shape-value.js';
import { renderSummary } from './summary-template.js';

/** `result` is what the model reads. */
export type FinishedResult =
  | { ok: true; result: JsonValue; kept: KeptResult }
  | { ok: false; error: RunError };

/** What pages through what is too long by itself: it knows better than a rule for all where to cut. */
const BOUNDED = new Set<string>(['get_artifact', 'load_skill', 'web_fetch']);

function isBounded({ executor }: ToolDefinition): boolean {
  return executor.kind === 'mcp_directory' || (executor.kind === 'builtin' && BOUNDED.has(executor.name));
}

/** A text stays a text; everything else becomes JSON with line breaks, for people and for paging. */
function fullText(value: JsonValue): { text: string; kind: StoredFile['kind']; mimeType: string } {
  return typeof value === 'string'
    ? { text: value, kind: 'document', mimeType: 'text/plain' }
    : { text: JSON.stringify(value, null, 2), kind: 'code', mimeType: 'application/json' };
}

async function keep(
  artifacts: ArtifactStore,
  tenant: TenantId,
  tool: ToolDefinition,
  value: JsonValue,
): Promise<StoredFile | null> {
  const { text, kind, mimeType } = fullText(value);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === 0) return null;
  const extension = typeof value === 'string' ? 'txt' : 'json';
  return { title: `${tool.key}.${extension}`, kind, mimeType, ...(await artifacts.put(tenant, bytes)) };
}

/**
 * The three steps between what a tool returned and what the model reads: the output schema, the cut, the summary. Every
 * kind of tool comes through here, before the commit of its result: the bytes of the full result are stored first, and
 * stored again they are the same.
 *
 * @param artifacts null when nothing can be kept: the model is told that the rest is gone
 * @throws Error when the full result could not be stored
 */
export async function finishResult(
  artifacts: ArtifactStore | null,
  tenant: TenantId,
  tool: ToolDefinition,
  value: JsonValue,
): Promise<FinishedResult> {
  const error = outputProblem(tool, value);
  if (error !== null) return { ok: false, error };
  if (isBounded(tool)) return { ok: true, result: value, kept: { summary: null, cut: false, full: null } };
  const { artifact } = tool.result;
  const { value: result, cut } = shapeValue(value, tool.result);
  const wanted = artifact === 'always' || (artifact === 'auto' && cut);
  const full = wanted && artifacts ? await keep(artifacts, tenant, tool, value) : null;
  return { ok: true, result, kept: { summary: renderSummary(tool.result.summary, value), cut, full } };
}
