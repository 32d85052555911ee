import type { EndReason, TenantConfig, ToolDefinition } from '@plinth/protocol';

/**
 * What the model is told of where its run stands: one system message, the very last of the request. Nothing before it
 * changes by it, so what a provider has cached of the conversation stays usable; only the few tokens of this message are
 * new in every turn. Only near the end: a model that is told the number of turns early hurries for no reason.
 */
export function turnAnnouncement(
  turn: number,
  { maxTurns, announceTurns }: TenantConfig['budgets'],
  lastTurn: EndReason | null,
  tools: readonly ToolDefinition[],
): string | null {
  if (announceTurns === 0) return null;
  if (lastTurn === null && turn + announceTurns < maxTurns) return null;
  const sentences = [
    `Turn ${turn + 1} of ${maxTurns}.`,
    ...(lastTurn === null ? [] : [whyLast(lastTurn), ...closeWith(tools)]),
  ];
  return JSON.stringify({ role: 'system', content: sentences.join(' ') });
}

function whyLast(reason: EndReason): string {
  return reason === 'budget_tool_calls'
    ? 'The tool calls of this run are used up, so this turn is the last one.'
    : 'This turn is the last one.';
}

function closeWith(tools: readonly ToolDefinition[]): string[] {
  const closing = tools.filter((tool) => tool.closing).map(({ key }) => key);
  if (tools.length === 0) return ['Give your answer now.'];
  if (closing.length === 0) return ['No tool can be called any more: give your answer now.'];
  return [`Only these tools can be called, and their result ends the run: ${closing.join(', ')}.`];
}
