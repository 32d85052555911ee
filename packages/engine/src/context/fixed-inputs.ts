import type { EndReason, JsonValue, TenantConfig, ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import { systemText } from './system-text.js';
import { turnAnnouncement } from './turn-announcement.js';

/** What is in every request whatever was said, as JSON text: never cut, and counted anew each time. */
export interface FixedInputs {
  /** Up to the first message. */
  head: string;
  /** The first message: instructions, and the list of the skills. */
  system: string;
  /** The last message, when there is one: what changes with every turn stands behind what does not. */
  announcement: string | null;
  /** The definitions of the tools, and which of them may be called; empty without tools. */
  tools: string;
  /** What stands behind them. */
  tail: string;
}

const member = (name: string, value: JsonValue) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** A definition as it stands in a request. */
export const toolText = ({ key, description, parameters }: ToolDefinition) =>
  JSON.stringify({ type: 'function', function: { name: key, description, parameters } });

/**
 * What may be called in the last turn. The definitions stay as they are, byte for byte: they stand in the prefix that a
 * provider caches.
 */
function closingChoice(tools: readonly ToolDefinition[], { allowedTools }: TenantConfig['model']): JsonValue {
  const closing = tools.filter((tool) => tool.closing);
  if (closing.length === 0) return 'none';
  if (!allowedTools) return 'auto';
  const named = closing.map(({ key }) => ({ type: 'function', function: { name: key } }));
  return { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: named } };
}

/**
 * @param turn from 0
 * @param offered the tools of this turn, in their stable order
 * @param lastTurn why this turn is the last one: the model must close with words or a closing tool; null when it is not
 */
export function fixedInputs(
  agent: AgentVersion,
  { model, budgets }: Pick<TenantConfig, 'model' | 'budgets'>,
  turn: number,
  offered: readonly ToolDefinition[],
  lastTurn: EndReason | null,
): FixedInputs {
  const choice = lastTurn === null ? 'auto' : closingChoice(offered, model);
  const tail = [
    member('temperature', model.temperature),
    member('max_completion_tokens', model.maxOutputTokens),
    member('stream', true),
    member('stream_options', { include_usage: true }),
  ];
  return {
    head: `{${member('model', model.name)},"messages":[`,
    system: JSON.stringify({ role: 'system', content: systemText(agent) }),
    announcement: turnAnnouncement(turn, budgets, lastTurn, offered),
    tools:
      offered.length === 0
        ? ''
        : `"tools":[${offered.map(toolText).join(',')}],${member('tool_choice', choice)},`,
    tail: `${tail.join(',')}}`,
  };
}
