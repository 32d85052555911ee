import { z } from 'zod';
import { fieldError } from './errors.js';
import { mcpConfirmation } from './executors/mcp-directory.js';

export const importMcpToolsRequest = z
  .strictObject({
    tools: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(2000)
      .optional()
      .describe('Names of tools of the server.'),
    all: z.literal(true).optional().describe('All that the registration takes.'),
    requireConfirmation: mcpConfirmation.default('by_hints'),
    dryRun: z.boolean().default(false).describe('Only says what would be imported.'),
  })
  .refine(({ tools, all }) => (tools === undefined) !== (all === undefined), {
    message: 'name either `tools` or `all: true`',
  });
export type ImportMcpToolsRequest = z.output<typeof importMcpToolsRequest>;

export const importMcpToolsResponse = z.object({
  imported: z.array(
    z.object({
      tool: z.string().describe('Its name at the server.'),
      key: z.string().describe('The key under which agents name it.'),
      version: z.number().int().nullable().describe('Null in a dry run.'),
      changed: z.boolean().nullable().describe('False when it was registered like this already.'),
    }),
  ),
  refused: z.array(
    z.object({
      tool: z.string(),
      problems: z.array(fieldError).describe('Why it cannot be offered to a model.'),
    }),
  ),
});
export type ImportMcpToolsResponse = z.infer<typeof importMcpToolsResponse>;
