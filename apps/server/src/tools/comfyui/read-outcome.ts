import type { ComfyUiExecutorSpec, JsonObject } from '@plinth/protocol';
import { failedJob, type JobOutcome } from '../jobs/remote-job.js';
import { type HistoryEntry, isOutputFile, type OutputFile } from './host-answers.js';

/** A file that the tool returns, before it is fetched. */
export interface WantedFile {
  file: OutputFile;
  title: string;
}

/** What the history says of an ended prompt. */
export type PromptOutcome =
  | { ok: true; files: WantedFile[]; texts: JsonObject }
  | Extract<JobOutcome, { ok: false }>;

/** Most files of one call; what is more is not fetched. */
export const MOST_FILES = 16;
const LONGEST_MESSAGE = 1000;
const LONGEST_TEXT = 20_000;

export function readOutcome(spec: ComfyUiExecutorSpec, { outputs, status }: HistoryEntry): PromptOutcome {
  const failure = failureOf(spec, status);
  if (failure) return failure;
  const files: WantedFile[] = [];
  const texts: JsonObject = {};
  for (const { node, as, title } of spec.outputs) {
    // Each kind of output has a member of its own: images, audio, gifs, text, and what extensions add.
    const shown = Object.values(outputs[node] ?? {}).flatMap((list) => (Array.isArray(list) ? list : []));
    if (as === 'text') {
      const text = shown.filter((item) => typeof item === 'string').join('\n');
      if (text !== '') texts[titleOf(spec, node, title)] = text.slice(0, LONGEST_TEXT);
      continue;
    }
    const found = shown.filter(isOutputFile);
    for (const [index, file] of found.entries())
      files.push({ file, title: title === undefined ? file.filename : numbered(title, index, found.length) });
  }
  if (files.length === 0 && Object.keys(texts).length === 0)
    return failedJob(
      'no_output',
      'The workflow ended and none of the nodes that this tool returns produced anything.',
    );
  return { ok: true, files: files.slice(0, MOST_FILES), texts };
}

function failureOf(
  spec: ComfyUiExecutorSpec,
  status: HistoryEntry['status'],
): Extract<JobOutcome, { ok: false }> | null {
  // Hosts of before 2024 keep no status; their history holds what succeeded.
  if (!status || status.status_str === 'success') return null;
  const [event, data = {}] = status.messages.findLast(([name]) => name !== 'execution_success') ?? [];
  if (event === 'execution_interrupted')
    return failedJob(
      'interrupted',
      'Somebody stopped the job at its host. It may be called again if the user wants it.',
    );
  const node = typeof data.node_id === 'string' ? data.node_id : '';
  const name = spec.workflow[node]?._meta?.title ?? spec.workflow[node]?.class_type ?? 'a node';
  const said = String(data.exception_message ?? 'it did not say why')
    .trim()
    .slice(0, LONGEST_MESSAGE);
  return failedJob('execution_failed', `The workflow failed at "${name}": ${said}`);
}

function titleOf(spec: ComfyUiExecutorSpec, node: string, title: string | undefined): string {
  return title ?? spec.workflow[node]?._meta?.title ?? node;
}

const numbered = (title: string, index: number, of: number) => (of > 1 ? `${title} ${index + 1}` : title);
