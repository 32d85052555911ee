import { nodeClass } from '../nodes/node-classes.js';
import type { FileStore } from '../server/file-store.js';
import { isLink, type Prompt } from './prompt.js';
import { type NodeError, validateInputs } from './validate-inputs.js';

export interface NodeErrors {
  errors: NodeError[];
  dependent_outputs: string[];
  class_type: string;
}

/** `error` null: `outputs` are executed. Outputs that did not pass are left out, and `node_errors` says why. */
export interface Validation {
  error: NodeError | null;
  outputs: string[];
  node_errors: Record<string, NodeErrors>;
}

const refused = (error: NodeError): Validation => ({ error, outputs: [], node_errors: {} });

/** Checks a workflow as `POST /prompt` does before it queues one. */
export function validatePrompt(prompt: Prompt, files: FileStore): Validation {
  for (const [id, node] of Object.entries(prompt)) {
    const title = node?._meta?.title ?? node?.class_type;
    const found = node?.class_type === undefined ? undefined : nodeClass(node.class_type);
    if (found) continue;
    const message =
      node?.class_type === undefined
        ? `Node 'ID #${id}' has no class_type. The workflow may be corrupted or a custom node is missing.`
        : `Node '${title}' not found. The custom node may not be installed.`;
    const extra_info = { node_id: id, class_type: node?.class_type ?? null, node_title: title ?? null };
    return refused({ type: 'missing_node_type', message, details: `Node ID '#${id}'`, extra_info });
  }
  const outputs = Object.keys(prompt).filter((id) => nodeClass(prompt[id]?.class_type ?? '')?.isOutput);
  if (outputs.length === 0)
    return refused({
      type: 'prompt_no_outputs',
      message: 'Prompt has no outputs',
      details: '',
      extra_info: {},
    });
  return validateOutputs(prompt, outputs, files);
}

function validateOutputs(prompt: Prompt, outputs: string[], files: FileStore): Validation {
  const node_errors: Record<string, NodeErrors> = {};
  const good: string[] = [];
  const said: string[] = [];
  for (const output of outputs) {
    const wrong = upstream(prompt, output).flatMap((id) => {
      const node = prompt[id];
      const errors = node ? validateInputs(prompt, node, files) : [];
      return node && errors.length > 0 ? [{ id, class_type: node.class_type, errors }] : [];
    });
    if (wrong.length === 0) good.push(output);
    for (const { id, class_type, errors } of wrong) {
      node_errors[id] ??= { errors, dependent_outputs: [], class_type };
      node_errors[id].dependent_outputs.push(output);
      // The real one lists here what is wrong with the output node itself.
      if (id === output) said.push(...errors.map(({ message, details }) => `${message}: ${details}`));
    }
  }
  if (good.length > 0) return { error: null, outputs: good, node_errors };
  const error = {
    type: 'prompt_outputs_failed_validation',
    message: 'Prompt outputs failed validation',
    details: said.join('\n'),
    extra_info: {},
  };
  return { error, outputs: [], node_errors };
}

/** A node and all that it depends on, sources first. */
export function upstream(prompt: Prompt, id: string, seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const sources = Object.values(prompt[id]?.inputs ?? {}).flatMap((value) =>
    isLink(value) ? [value[0]] : [],
  );
  return [...sources.flatMap((source) => upstream(prompt, source, seen)), id];
}
