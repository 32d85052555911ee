import type { ComfyUiExecutorSpec, ComfyUiWorkflow, JsonObject, JsonValue } from '@plinth/protocol';

export interface FilledWorkflow {
  prompt: ComfyUiWorkflow;
  /** The one that was used; null when the workflow's own stays. */
  seed: number | null;
}

/**
 * The workflow of one call: its arguments and its seed in the places that the tool names. Pure; the workflow of the
 * definition stays as it is. Arguments that were not given leave what the workflow says.
 *
 * @param files what stands for the arguments that are files: names at the host, by parameter
 */
export function fillWorkflow(
  spec: ComfyUiExecutorSpec,
  values: JsonObject,
  files: ReadonlyMap<string, string>,
  newSeed: number,
): FilledWorkflow {
  const prompt = structuredClone(spec.workflow);
  const put = ({ node, input }: { node: string; input: string }, value: JsonValue) => {
    const found = prompt[node];
    // Checked when the tool was registered.
    if (!found) throw new Error(`the workflow has no node ${node}`);
    found.inputs[input] = value;
  };
  for (const { parameter, kind, ...place } of spec.inputs) {
    const value = kind === 'value' ? values[parameter] : files.get(parameter);
    if (value !== undefined && value !== null) put(place, value);
  }
  if (!spec.seed) return { prompt, seed: null };
  const { targets, parameter } = spec.seed;
  const given = parameter === undefined ? undefined : values[parameter];
  const seed = typeof given === 'number' ? given : newSeed;
  for (const place of targets) put(place, seed);
  return { prompt, seed };
}
