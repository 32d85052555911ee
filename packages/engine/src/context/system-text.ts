import type { ToolDefinition } from '@plinth/protocol';
import type { AgentVersion } from '../agent-catalog.js';

const loadsSkills = ({ executor }: ToolDefinition): boolean =>
  executor.kind === 'builtin' && executor.name === 'load_skill';

/** Whether the model can load skills with these tools. */
export const canLoadSkills = (tools: readonly ToolDefinition[]): boolean => tools.some(loadsSkills);

/**
 * What stands first in every request of an agent version, always the same bytes: its instructions, and the list of its
 * skills. A skill itself enters the conversation as the result of the call that loads it, and is stored as that.
 */
export function systemText({ definition, tools, skills }: AgentVersion): string {
  const loader = tools.find(loadsSkills);
  if (skills.length === 0 || loader === undefined) return definition.instructions;
  const list = skills.map(({ key, description }) => `- ${key}: ${description}`);
  return [
    definition.instructions,
    '',
    '# Skills',
    `Instructions for kinds of tasks. Before you begin one, load its skill with \`${loader.key}\` and follow it.`,
    ...list,
  ].join('\n');
}
