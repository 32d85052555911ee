import { z } from 'zod';
import { mcpServerKey } from '../mcp-servers.js';

export const mcpConfirmation = z
  .enum(['by_hints', 'always', 'never'])
  .describe(
    'by_hints: a person has to agree, unless the server says of its tool that it only reads or destroys nothing.',
  );

/**
 * The two tools that an agent gets whose MCP servers are offered as a directory. They are made when the agent is published;
 * nobody registers them.
 */
export const mcpDirectoryExecutor = z.object({
  kind: z.literal('mcp_directory'),
  action: z.enum(['list', 'enable']),
  servers: z.array(z.object({ server: mcpServerKey, requireConfirmation: mcpConfirmation })),
});

/** How an agent names an MCP server. */
export const mcpUse = z.strictObject({
  server: mcpServerKey,
  mode: z
    .literal('directory')
    .describe(
      'The model sees one line about the server, looks for tools in it, and enables those that it wants.',
    ),
  requireConfirmation: mcpConfirmation.default('by_hints'),
});
