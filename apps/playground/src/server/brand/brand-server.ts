import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { campaignsLike, GUIDELINES } from './brand-book.js';

const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** The MCP server of the business's brand book: two tools that read. One serves one connection. */
export function createBrandServer(): McpServer {
  const server = new McpServer({ name: 'poster-studio-brand', version: '1.0.0' });
  server.registerTool(
    'guidelines',
    {
      title: 'Brand guidelines',
      description: 'How campaigns of the house read and sound.',
      inputSchema: {},
      outputSchema: {
        voice: z.string(),
        headline: z.object({ maxWords: z.number().int(), avoid: z.array(z.string()) }),
        sound: z.string().describe('Instruments and tempo of its music.'),
      },
      annotations: READ_ONLY,
    },
    () => structured(GUIDELINES),
  );
  server.registerTool(
    'past_campaigns',
    {
      title: 'Past campaigns',
      description:
        'Earlier campaigns about a topic, with how many posters were printed and what was learned.',
      inputSchema: { topic: z.string().trim().min(1).max(200).describe('What the campaign is about.') },
      outputSchema: {
        campaigns: z.array(
          z.object({
            title: z.string(),
            season: z.string(),
            copies: z.number().int(),
            lesson: z.string(),
          }),
        ),
      },
      annotations: READ_ONLY,
    },
    ({ topic }) => structured({ campaigns: campaignsLike(topic) }),
  );
  return server;
}

/** Also as text: clients that know no structured results read that. */
function structured(value: Record<string, unknown>) {
  return {
    structuredContent: value,
    content: [{ type: 'text' as const, text: JSON.stringify(value) }],
  };
}
