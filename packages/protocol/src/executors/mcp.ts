import { z } from 'zod';
import { mcpServerKey } from '../mcp-servers.js';

/** One tool of an MCP server that the tenant has registered. Where the server is, its registration says. */
export const mcpExecutor = z.object({
  kind: z.literal('mcp'),
  server: mcpServerKey.describe('Key of the MCP server.'),
  tool: z.string().min(1).max(200).describe('Name of the tool there.'),
});
