import type { ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { ToolCall } from '../runs/run.js';

/**
 * The tools that the model is offered in a turn: those of the agent's version, then those that calls of earlier turns have
 * enabled, in the order of the calls. What was offered once stays where it stands for the rest of the run, so that a
 * request begins as the one before it did. A name belongs to the first tool that has it.
 *
 * What a call enabled stands in its row, as it was then: a run that is rebuilt offers the same, byte for byte.
 */
export function offeredTools(
  agent: AgentVersion,
  calls: readonly ToolCall[],
  turnIndex: number,
): ToolDefinition[] {
  const enabling = calls.filter(
    (call) => call.turnIndex < turnIndex && call.enabledTools !== null && call.enabledTools.length > 0,
  );
  if (enabling.length === 0) return agent.tools;
  enabling.sort((a, b) => a.turnIndex - b.turnIndex || a.position - b.position);
  const offered = new Map(agent.tools.map((tool) => [tool.key, tool]));
  for (const tool of enabling.flatMap((call) => call.enabledTools ?? []))
    if (!offered.has(tool.key)) offered.set(tool.key, tool);
  return [...offered.values()];
}

/**
 * The definition that a call was made under; undefined when its turn offered no such tool.
 *
 * @param calls those of the run
 */
export function toolOfCall(
  agent: AgentVersion,
  calls: readonly ToolCall[],
  call: Pick<ToolCall, 'tool' | 'turnIndex'>,
): ToolDefinition | undefined {
  return offeredTools(agent, calls, call.turnIndex).find(({ key }) => key === call.tool);
}
