import { MEDIA_NODES } from './media-nodes.js';
import { MODEL_NODES } from './model-nodes.js';
import type { InputSpec, NodeClass } from './node-class.js';

const CLASSES: Record<string, NodeClass> = { ...MODEL_NODES, ...MEDIA_NODES };

/** Undefined for a class that is not installed here. */
export function nodeClass(name: string): NodeClass | undefined {
  return Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
}

/** The classes as `GET /object_info` describes them. */
export function objectInfo(names = Object.keys(CLASSES)): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = nodeClass(name);
      return found ? [[name, describe(name, found)]] : [];
    }),
  );
}

function describe(name: string, found: NodeClass): unknown {
  const input: Record<string, Record<string, InputSpec>> = { required: found.required };
  if (found.optional) input.optional = found.optional;
  return {
    input,
    input_order: Object.fromEntries(Object.entries(input).map(([kind, specs]) => [kind, Object.keys(specs)])),
    output: found.output,
    output_is_list: found.output.map(() => false),
    output_name: found.output,
    name,
    display_name: found.displayName,
    description: '',
    python_module: 'nodes',
    category: found.category,
    output_node: found.isOutput ?? false,
  };
}
