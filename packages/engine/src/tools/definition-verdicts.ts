import type { EventBody } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';
import type { RunState } from '../runs/run.js';
import { isSettled } from './call-step.js';
import { compareDefinitions, type DefinitionVerdict } from './compare-definitions.js';

export interface ToolVerdict {
  tool: string;
  verdict: DefinitionVerdict;
}

/**
 * What became, since the run began, of each tool that a call of it waits for. The run goes on with the definitions
 * that it is pinned to whatever the verdict.
 *
 * @param newest the newest published version of the run's agent; null when there is none
 */
export function openCallVerdicts(
  state: RunState,
  pinned: AgentVersion,
  newest: AgentVersion | null,
): ToolVerdict[] {
  const waiting = new Set(state.calls.filter((call) => !isSettled(call)).map((call) => call.tool));
  return pinned.tools
    .filter(({ key }) => waiting.has(key))
    .map((tool) => {
      const current = newest?.tools.find(({ key }) => key === tool.key) ?? null;
      const verdict = newest?.id === pinned.id ? 'same' : compareDefinitions(tool, current);
      return { tool: tool.key, verdict };
    });
}

/** One event for all that changed; none when nothing did. */
export function changeNotice(verdicts: readonly ToolVerdict[]): EventBody[] {
  const changed = verdicts.filter(({ verdict }) => verdict !== 'same');
  if (changed.length === 0) return [];
  const named = changed.map(({ tool, verdict }) => `${tool} (${verdict})`).join(', ');
  const message = `Changed while the run waited: ${named}. It goes on with the definition that it began with.`;
  return [{ type: 'notice', code: 'definition_changed', message }];
}
