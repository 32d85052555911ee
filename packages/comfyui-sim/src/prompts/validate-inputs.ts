import type { InputSpec } from '../nodes/node-class.js';
import { nodeClass } from '../nodes/node-classes.js';
import type { FileStore } from '../server/file-store.js';
import { isLink, type JsonRecord, type Prompt, type PromptNode } from './prompt.js';

/** One thing that is wrong with one node, in the words of the real API. */
export interface NodeError {
  type: string;
  message: string;
  details: string;
  extra_info: JsonRecord;
}

/** Lists of models may be thousands long. */
const LONGEST_LIST_SHOWN = 20;

interface Checked {
  node: PromptNode;
  name: string;
  spec: InputSpec;
  prompt: Prompt;
}

/** What is wrong with the inputs of one node. Numbers that came as text are turned into numbers in place, as there. */
export function validateInputs(prompt: Prompt, node: PromptNode, files: FileStore): NodeError[] {
  const found = nodeClass(node.class_type);
  if (!found) return [];
  const errors: NodeError[] = [];
  for (const [name, spec] of Object.entries({ ...found.required, ...found.optional })) {
    if (!(name in node.inputs)) {
      if (name in found.required) errors.push(missing(name, spec));
      continue;
    }
    const error = inputError({ node, name, spec, prompt });
    if (error) errors.push(error);
  }
  const custom = errors.length === 0 ? (found.validate?.(node.inputs, files) ?? null) : null;
  if (custom) {
    const { input, problem } = custom;
    const extra_info = { input_name: input, received_value: node.inputs[input] };
    errors.push({
      type: 'custom_validation_failed',
      message: 'Custom validation failed for node',
      details: `${input} - ${problem}`,
      extra_info,
    });
  }
  return errors;
}

function missing(name: string, spec: InputSpec): NodeError {
  return {
    type: 'required_input_missing',
    message: 'Required input is missing',
    details: name,
    extra_info: { input_name: name, input_config: spec },
  };
}

function inputError(checked: Checked): NodeError | null {
  const value = checked.node.inputs[checked.name];
  return isLink(value) ? linkError(checked, value) : valueError(checked, value);
}

function linkError({ name, spec, prompt }: Checked, link: unknown[]): NodeError | null {
  const extra_info = { input_name: name, input_config: spec, received_value: link };
  const [from, slot] = link;
  const source = typeof from === 'string' ? prompt[from] : undefined;
  if (link.length !== 2 || typeof slot !== 'number' || !source) {
    const message = 'Bad linked input, must be a length-2 list of [node_id, slot_index]';
    return { type: 'bad_linked_input', message, details: name, extra_info };
  }
  const received = nodeClass(source.class_type)?.output[slot];
  const [wanted] = spec;
  if (wanted === '*' || received === wanted) return null;
  return {
    type: 'return_type_mismatch',
    message: 'Return type mismatch between linked nodes',
    details: `${name}, received_type(${String(received)}) mismatch input_type(${String(wanted)})`,
    extra_info: { input_name: name, input_config: spec, received_type: received, linked_node: link },
  };
}

function valueError({ node, name, spec }: Checked, given: unknown): NodeError | null {
  const [type, config = {}] = spec;
  const extra = (value: unknown) => ({ input_name: name, input_config: spec, received_value: value });
  const value = converted(type, given);
  if (value === undefined) {
    const message = `Failed to convert an input value to a ${String(type)} value`;
    return {
      type: 'invalid_input_type',
      message,
      details: `${name}, ${JSON.stringify(given)}, could not convert`,
      extra_info: { ...extra(given), exception_message: 'could not convert' },
    };
  }
  node.inputs[name] = value;
  if (typeof value === 'number' && typeof config.min === 'number' && value < config.min) {
    const message = `Value ${value} smaller than min of ${config.min}`;
    return { type: 'value_smaller_than_min', message, details: name, extra_info: extra(value) };
  }
  if (typeof value === 'number' && typeof config.max === 'number' && value > config.max) {
    const message = `Value ${value} bigger than max of ${config.max}`;
    return { type: 'value_bigger_than_max', message, details: name, extra_info: extra(value) };
  }
  // A list of uploaded files is checked by the node itself.
  if (typeof type === 'string' || config.image_upload === true || type.includes(String(value))) return null;
  const list =
    type.length > LONGEST_LIST_SHOWN
      ? `(list of length ${type.length})`
      : `[${type.map((item) => `'${item}'`).join(', ')}]`;
  return {
    type: 'value_not_in_list',
    message: 'Value not in list',
    details: `${name}: '${String(value)}' not in ${list}`,
    extra_info: extra(value),
  };
}

/** Undefined when it cannot be read as one. */
function converted(type: string | readonly string[], value: unknown): unknown {
  if (type === 'INT' || type === 'FLOAT') {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(number)) return undefined;
    return type === 'INT' ? Math.trunc(number) : number;
  }
  if (type === 'STRING') return String(value);
  if (type === 'BOOLEAN') return Boolean(value);
  return value;
}
