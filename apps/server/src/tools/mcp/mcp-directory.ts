import { type AgentDefinition, type ToolDefinition, toolDefinition } from '@plinth/protocol';

/**
 * MCP servers on demand. A request holds one line about each server and two tools: one lists what a server offers, the other
 * enables what the model wants of it. Only that costs the request anything, from the next turn on.
 */

const LIST = 'mcp_list_tools';
const ENABLE = 'mcp_enable_tools';

/** Most tools that one call enables. Their schemas go into every request after it. */
export const MOST_ENABLED_AT_ONCE = 20;

export type DirectoryEntry = NonNullable<AgentDefinition['mcp']>[number] & { description: string };

export function isDirectoryKey(key: string): boolean {
  return key === LIST || key === ENABLE;
}

/** The tools with which the model finds and enables tools of these servers. */
export function directoryTools(entries: readonly DirectoryEntry[]): ToolDefinition[] {
  const servers = entries.map(({ server, requireConfirmation }) => ({ server, requireConfirmation }));
  const server = { type: 'string', enum: entries.map((entry) => entry.server) };
  const lines = entries.map((entry) => `- ${entry.server}: ${entry.description}`).join('\n');
  const make = (key: string, action: 'list' | 'enable', rest: object) =>
    toolDefinition.parse({
      key,
      executor: { kind: 'mcp_directory', action, servers },
      idempotent: true,
      ...rest,
    });
  return [
    make(LIST, 'list', {
      title: 'Look for tools',
      description: `Lists tools of one of these servers, which you can then enable:\n${lines}`,
      parameters: {
        type: 'object',
        properties: {
          server,
          query: { type: 'string', description: 'Only tools with all of these words.' },
          cursor: { type: 'string', description: 'nextCursor of the page before.' },
        },
        required: ['server'],
        additionalProperties: false,
      },
    }),
    make(ENABLE, 'enable', {
      title: 'Enable tools',
      description: `Enables tools that ${LIST} has listed. From your next turn on you can call them, by the names that this returns.`,
      // What is offered already has to be known when a tool gets its name.
      concurrency: 'exclusive',
      parameters: {
        type: 'object',
        properties: {
          server,
          tools: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            maxItems: MOST_ENABLED_AT_ONCE,
            description: 'Their names as listed.',
          },
        },
        required: ['server', 'tools'],
        additionalProperties: false,
      },
    }),
  ];
}
