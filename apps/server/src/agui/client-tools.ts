import type { Tool } from '@ag-ui/core';
import type { AgentVersion } from '@plinth/engine';

/**
 * What a client should know of the tools that it brings. An agent's tools are part of its definition: a client runs those
 * whose executor is `frontend`, under their own names, and adds none.
 */
export function noticesOf(
  { definition, tools }: Pick<AgentVersion, 'definition' | 'tools'>,
  brought: readonly Pick<Tool, 'name'>[],
): { code: string; message: string }[] {
  const own = new Set(tools.filter(({ executor }) => executor.kind === 'frontend').map(({ key }) => key));
  const others = brought.map(({ name }) => name).filter((name) => !own.has(name));
  if (others.length === 0) return [];
  const message = `The agent "${definition.key}" has no frontend tool of this name, so the model is not offered it: ${others.join(', ')}. Add it to the agent with the executor "frontend".`;
  return [{ code: 'client_tool_not_offered', message }];
}
