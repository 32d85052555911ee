import { createHash } from 'node:crypto';
import type { EndReason, JsonValue, TenantConfig, ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { ModelRequest } from '../models/model-gateway.js';
import type { RunState } from '../runs/run.js';
import { offeredTools } from '../tools/offered-tools.js';
import { systemText } from './system-text.js';
import { turnAnnouncement } from './turn-announcement.js';

/**
 * The next request to the model, as text. Stored messages are put in as they are, byte for byte, so a run
 * that was rebuilt from the ledger sends what it would have sent with its snapshot, and the prefix stays
 * equal from turn to turn.
 */

function turnMessages(state: RunState): string[] {
  return state.turns.flatMap((turn) => [
    turn.assistantRaw,
    ...state.calls
      .filter((call) => call.turnIndex === turn.index)
      .sort((a, b) => a.position - b.position)
      .map((call) => {
        if (call.resultText === null)
          throw new Error(`call ${call.id} has no result: the model must not be asked yet`);
        return JSON.stringify({ role: 'tool', tool_call_id: call.providerCallId, content: call.resultText });
      }),
  ]);
}

function toolTexts(offered: readonly ToolDefinition[]): string[] {
  return offered.map(({ key, description, parameters }) =>
    JSON.stringify({ type: 'function', function: { name: key, description, parameters } }),
  );
}

const member = (name: string, value: JsonValue) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

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
 * @param lastTurn why this turn is the last one: the model must close with words or a closing tool; null when it is not
 * @throws Error when a call has no result (the closure invariant; a bug)
 */
export function compileRequest(
  state: RunState,
  agent: AgentVersion,
  config: TenantConfig,
  lastTurn: EndReason | null,
): ModelRequest {
  const system = JSON.stringify({ role: 'system', content: systemText(agent) });
  const offered = offeredTools(agent, state.calls, state.turns.length);
  const announcement = turnAnnouncement(state.turns.length, config.budgets, lastTurn, offered);
  const messages = [
    system,
    ...state.history,
    ...turnMessages(state),
    ...(announcement === null ? [] : [announcement]),
  ];
  const choice = lastTurn === null ? 'auto' : closingChoice(offered, config.model);
  const tools = toolTexts(offered);
  const body = `{${[
    member('model', config.model.name),
    `"messages":[${messages.join(',')}]`,
    ...(tools.length === 0 ? [] : [`"tools":[${tools.join(',')}]`, member('tool_choice', choice)]),
    member('temperature', config.model.temperature),
    member('max_completion_tokens', config.model.maxOutputTokens),
    member('stream', true),
    member('stream_options', { include_usage: true }),
  ].join(',')}}`;
  return { body, digest: createHash('sha256').update(body).digest('hex'), timeoutMs: config.model.timeoutMs };
}
