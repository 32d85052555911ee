import type { ToolDefinition } from '@plinth/protocol';
import type { McpServer } from './mcp-servers.js';
import {
  type ConfirmPolicy,
  definitionOf,
  keyOf,
  type McpTool,
  type McpToolList,
  type RefusedTool,
} from './mcp-tool.js';

/** Most tools in one request: no endpoint takes more. */
const MOST_OFFERED = 128;

export interface EnabledTools {
  /** The name at the server, and the one under which the model calls it. */
  enabled: { tool: string; name: string }[];
  refused: RefusedTool[];
  /** Of those that were not offered before. */
  definitions: ToolDefinition[];
}

/**
 * Makes definitions of the tools that the model has chosen. Each gets a name that nothing else in the run has; one that is
 * offered already keeps the name that it has.
 *
 * @param offered what the run offers already
 */
export function enableTools(
  server: McpServer,
  list: McpToolList,
  names: readonly string[],
  { offered, confirm }: { offered: readonly ToolDefinition[]; confirm: ConfirmPolicy },
): EnabledTools {
  const result: EnabledTools = { enabled: [], refused: [], definitions: [] };
  for (const name of new Set(names)) {
    const there = [...offered, ...result.definitions];
    const known = there.find(({ executor }) => isTool(executor, server.key, name));
    if (known) {
      result.enabled.push({ tool: name, name: known.key });
      continue;
    }
    const tool = list.tools.find((candidate) => candidate.name === name);
    const refusal = tool === undefined ? reasonOf(list, name) : roomProblem(there, name);
    if (tool === undefined || refusal !== null) {
      result.refused.push(refusal ?? reasonOf(list, name));
      continue;
    }
    const made = definitionOf(server, tool, freeName(server, tool, there), confirm);
    if (made.ok) {
      result.definitions.push(made.tool);
      result.enabled.push({ tool: name, name: made.tool.key });
    } else result.refused.push({ tool: name, problems: made.fields });
  }
  return result;
}

function roomProblem(there: readonly ToolDefinition[], tool: string): RefusedTool | null {
  if (there.length < MOST_OFFERED) return null;
  const message = `no more than ${MOST_OFFERED} tools can be offered; use those that you have`;
  return { tool, problems: [{ path: '', message }] };
}

function isTool(executor: ToolDefinition['executor'], server: string, tool: string): boolean {
  return executor.kind === 'mcp' && executor.server === server && executor.tool === tool;
}

function reasonOf({ refused }: McpToolList, name: string): RefusedTool {
  const known = refused.find(({ tool }) => tool === name);
  return (
    known ?? { tool: name, problems: [{ path: '', message: 'there is no such tool; use a listed name' }] }
  );
}

/** The server's name or prefix stands before that of the tool; a number after it when even that is taken. */
function freeName(
  { key, definition }: McpServer,
  { name }: McpTool,
  there: readonly ToolDefinition[],
): string {
  const words = `${definition.toolPrefix ?? key}_${name}`;
  const taken = new Set(there.map((tool) => tool.key));
  for (let number = 1; ; number += 1) {
    const free = keyOf(number === 1 ? words : `${words}_${number}`);
    if (!taken.has(free)) return free;
  }
}
