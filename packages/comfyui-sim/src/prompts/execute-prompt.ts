import { createHash } from 'node:crypto';
import type { NodeContext, NodeResult } from '../nodes/node-class.js';
import { nodeClass } from '../nodes/node-classes.js';
import { isLink, type JsonRecord, type Prompt, type QueueItem } from './prompt.js';
import type { HistoryEntry } from './prompt-queue.js';
import { upstream } from './validate-prompt.js';

/** Thrown out of a node that was interrupted. */
export class Interrupted extends Error {}

export interface ExecutionPorts {
  files: NodeContext['files'];
  /** Sends an event to the client of the prompt. */
  send(event: string, data: JsonRecord): void;
  sendPreview(jpeg: Buffer): void;
  /** Waits one step of slow work. @throws Interrupted */
  pause(): Promise<void>;
  /** @throws Error when this node is to fail */
  beforeNode(id: string): void;
}

/** Results of the last prompt by what they were made from. Like the real host, nothing older is kept. */
export type ResultCache = Map<string, NodeResult>;

/** Executes a prompt and says on the way what the real host says. Never throws: what goes wrong is in the history. */
export async function executePrompt(
  [number, promptId, prompt, extraData, outputs]: QueueItem,
  cache: ResultCache,
  ports: ExecutionPorts,
): Promise<HistoryEntry> {
  const messages: [string, JsonRecord][] = [];
  const tell = (event: string, data: JsonRecord) => {
    const dated = { ...data, prompt_id: promptId, timestamp: Date.now() };
    messages.push([event, dated]);
    ports.send(event, dated);
  };
  const shown: HistoryEntry['outputs'] = {};
  const order = [...new Set(outputs.flatMap((output) => upstream(prompt, output)))];
  const keys = new Map(order.map((id) => [id, keyOf(prompt, id)]));
  const cached = order.filter((id) => cache.has(keys.get(id) ?? ''));
  for (const key of [...cache.keys()]) if (![...keys.values()].includes(key)) cache.delete(key);

  tell('execution_start', {});
  tell('execution_cached', { nodes: cached });
  const results = new Map<string, NodeResult>();
  const executed: string[] = [];
  let current = '';
  const entry = (status: HistoryEntry['status']['status_str']): HistoryEntry => ({
    prompt: [number, promptId, prompt, extraData, outputs],
    outputs: shown,
    status: { status_str: status, completed: status === 'success', messages },
    meta: Object.fromEntries(
      Object.keys(shown).map((id) => [
        id,
        { node_id: id, display_node: id, parent_node: null, real_node_id: id },
      ]),
    ),
  });
  try {
    for (const id of order) {
      current = id;
      const key = keys.get(id) ?? '';
      const known = cache.get(key);
      if (!known) ports.send('executing', { node: id, display_node: id, prompt_id: promptId });
      const result = known ?? (await runNode(prompt, promptId, id, results, ports));
      cache.set(key, result);
      results.set(id, result);
      if (!known) executed.push(id);
      if (result.ui) {
        shown[id] = result.ui;
        ports.send('executed', { node: id, display_node: id, output: result.ui, prompt_id: promptId });
      }
    }
    tell('execution_success', {});
    return entry('success');
  } catch (error) {
    const about = { node_id: current, node_type: prompt[current]?.class_type, executed };
    if (error instanceof Interrupted) tell('execution_interrupted', about);
    else tell('execution_error', { ...about, ...describe(error, prompt[current]?.inputs ?? {}) });
    return entry('error');
  }
}

async function runNode(
  prompt: Prompt,
  promptId: string,
  id: string,
  results: ReadonlyMap<string, NodeResult>,
  ports: ExecutionPorts,
): Promise<NodeResult> {
  const node = prompt[id];
  const found = nodeClass(node?.class_type ?? '');
  if (!node || !found) throw new Error(`node ${id} cannot be run`);
  const inputs = Object.fromEntries(
    Object.entries(node.inputs).map(([name, value]) => [
      name,
      isLink(value) ? results.get(value[0])?.values[value[1]] : value,
    ]),
  );
  ports.beforeNode(id);
  return found.run(inputs, {
    files: ports.files,
    async step(value, max, preview) {
      await ports.pause();
      const state = { value, max, node_id: id, prompt_id: promptId, display_node_id: id, real_node_id: id };
      const nodes = { [id]: { ...state, state: value < max ? 'running' : 'finished', parent_node_id: null } };
      ports.send('progress_state', { prompt_id: promptId, nodes });
      ports.send('progress', { value, max, prompt_id: promptId, node: id });
      if (preview) ports.sendPreview(await preview());
    },
  });
}

/** What a node's result depends on: its class, its values, and the same of all before it. */
function keyOf(prompt: Prompt, id: string): string {
  const parts = upstream(prompt, id).map((one) => JSON.stringify([one, prompt[one]]));
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

function describe(error: unknown, inputs: JsonRecord): JsonRecord {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return {
    exception_message: message,
    exception_type: name === 'Error' ? 'RuntimeError' : name,
    traceback: stack.split('\n').slice(1),
    current_inputs: inputs,
    current_outputs: [],
  };
}
