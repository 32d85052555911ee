import { createHash } from 'node:crypto';
import type { JsonValue, TenantConfig } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { ModelRequest } from '../models/model-gateway.js';
import type { RunState } from '../runs/run.js';

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

function toolTexts(agent: AgentVersion): string[] {
  return agent.tools.map(({ key, description, parameters }) =>
    JSON.stringify({ type: 'function', function: { name: key, description, parameters } }),
  );
}

const member = (name: string, value: JsonValue) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/**
 * @param offerTools false in the last turn that the budget allows: the model must close with words
 * @throws Error when a call has no result (the closure invariant; a bug)
 */
export function compileRequest(
  state: RunState,
  agent: AgentVersion,
  config: TenantConfig,
  offerTools: boolean,
): ModelRequest {
  const system = JSON.stringify({ role: 'system', content: agent.definition.instructions });
  const messages = [system, ...state.history, ...turnMessages(state)];
  const tools = toolTexts(agent);
  const body = `{${[
    member('model', config.model.name),
    `"messages":[${messages.join(',')}]`,
    ...(tools.length === 0
      ? []
      : [`"tools":[${tools.join(',')}]`, member('tool_choice', offerTools ? 'auto' : 'none')]),
    member('temperature', config.model.temperature),
    member('max_completion_tokens', config.model.maxOutputTokens),
    member('stream', true),
    member('stream_options', { include_usage: true }),
  ].join(',')}}`;
  return { body, digest: createHash('sha256').update(body).digest('hex'), timeoutMs: config.model.timeoutMs };
}
