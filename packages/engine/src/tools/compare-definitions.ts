import type { ToolDefinition, ToolExecutorSpec } from '@plinth/protocol';
import { acceptsAllOf } from './accepts-schema.js';
import { digestOf } from './definition-digest.js';

/**
 * What became of a tool since a run was pinned to it. `compatible`: a call made under the pinned definition would
 * still be understood (words, limits, new optional fields, what is taken more loosely). `breaking`: it would not, or
 * the tool is gone.
 */
export type DefinitionVerdict = 'same' | 'compatible' | 'breaking';

/** @param current the newest published definition of the same key; null when there is none any more */
export function compareDefinitions(
  pinned: ToolDefinition,
  current: ToolDefinition | null,
): DefinitionVerdict {
  if (current === null) return 'breaking';
  if (digestOf(pinned) === digestOf(current)) return 'same';
  return acceptsAllOf(current.parameters, pinned.parameters) &&
    isSameExecutor(pinned.executor, current.executor)
    ? 'compatible'
    : 'breaking';
}

/** Whether the pinned call reaches the same thing. A remote service may move; that its old address is gone shows there. */
function isSameExecutor(pinned: ToolExecutorSpec, current: ToolExecutorSpec): boolean {
  switch (pinned.kind) {
    case 'component':
      // The other way round: the page of today fills the form, and what it submits is checked by the pinned schema.
      return (
        current.kind === 'component' &&
        current.component === pinned.component &&
        acceptsAllOf(pinned.submit, current.submit)
      );
    case 'remote':
    case 'http':
    case 'comfyui':
      return current.kind === pinned.kind;
    case 'frontend':
      return current.kind === 'frontend' && current.handler === pinned.handler;
    case 'builtin':
      return current.kind === 'builtin' && current.name === pinned.name;
    case 'mcp_directory':
      return current.kind === 'mcp_directory' && current.action === pinned.action;
    case 'mcp':
      return current.kind === 'mcp' && current.server === pinned.server && current.tool === pinned.tool;
  }
}
